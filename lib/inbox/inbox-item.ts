import { z } from 'zod';
import { HOOKS } from '#lib/core/history.ts';
import { runRecordSchema } from '#lib/core/run-record.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import { WAITING_KINDS } from './waiting-kinds.ts';

/** Who came to an item first and is still there, as whoever asks sees it. `since` is a moment. */
export const inboxClaimSchema = z.object({
  who: z.enum(['you', 'another_window', 'another_person']),
  name: z.string(),
  since: z.string(),
});
export type InboxClaim = z.infer<typeof inboxClaimSchema>;

/** A run that waits for a person, as lists show it. `input` is cut to 200 characters; `scores` are by version, null where unscored. */
const inboxItemSchema = z.object({
  id: z.string(),
  number: z.int(),
  experimentId: z.string(),
  experimentName: z.string(),
  input: z.string(),
  mode: z.string(),
  kind: z.enum(WAITING_KINDS),
  pauseId: z.string(),
  /** `onGeneration` and `onRevision`: the version is looked at before it is evaluated. */
  hook: z.enum(HOOKS),
  /** With kind `tool` the one that the agent works towards: there is none yet. */
  version: z.int(),
  /** What an agent wants to use, its arguments cut to 200 characters. */
  toolCall: z.object({ tool: z.string(), arguments: z.string() }).nullable(),
  wouldStopAs: z.enum(STOP_REASONS).nullable(),
  /** The criteria whose scores are asked. */
  asks: z.array(z.string()),
  since: z.string(),
  expiresAt: z.string().nullable(),
  versionCount: z.int(),
  bestScore: z.number().nullable(),
  scores: z.array(z.number().nullable()),
  claim: inboxClaimSchema.nullable(),
  /** Whoever asks was asked to look at it. */
  isAssigned: z.literal(true).optional(),
});
export type InboxItem = z.infer<typeof inboxItemSchema>;

/** How many items are alike in experiment, kind and who is on them; all that wait, whatever part of the list was asked for. */
export const inboxGroupSchema = z.object({
  experimentId: z.string(),
  experimentName: z.string(),
  kind: z.enum(WAITING_KINDS),
  whose: z.enum(['free', 'mine', 'others']),
  count: z.int(),
  /** Of these, those that whoever asks was asked to look at; left out for none. */
  assigned: z.int().min(1).optional(),
});
export type InboxGroup = z.infer<typeof inboxGroupSchema>;

export const inboxSchema = z.object({
  items: z.array(inboxItemSchema),
  nextCursor: z.string().nullable(),
  groups: z.array(inboxGroupSchema),
});
/** One page of what waits, longest first, and the counts over all of it. */
export type Inbox = z.infer<typeof inboxSchema>;

export const inboxRunSchema = z.object({
  run: runRecordSchema,
  experimentName: z.string(),
  settings: settingsSchema,
});
/** A run with what is needed to decide on it: its record, and the settings it keeps. */
export type InboxRun = z.infer<typeof inboxRunSchema>;
