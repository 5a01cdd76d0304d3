import { z } from 'zod';
import { HOOKS } from '#lib/core/history.ts';
import { runRecordSchema } from '#lib/core/run-record.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import { WAITING_KINDS } from './waiting-kinds.ts';

/** The earliest active claim on an item, from the requester's point of view. `since` is a timestamp. */
export const inboxClaimSchema = z.object({
  who: z.enum(['you', 'another_window', 'another_person']),
  name: z.string(),
  since: z.string(),
});
export type InboxClaim = z.infer<typeof inboxClaimSchema>;

/** A run that waits for a person, as shown in lists. `input` is cut to 200 characters. `scores` are by version, null if unscored. */
const inboxItemSchema = z.object({
  id: z.string(),
  number: z.int(),
  experimentId: z.string(),
  experimentName: z.string(),
  input: z.string(),
  mode: z.string(),
  kind: z.enum(WAITING_KINDS),
  pauseId: z.string(),
  /** `onGeneration` and `onRevision`: review of the version before it is evaluated. */
  hook: z.enum(HOOKS),
  /** For kind `tool`, the version that the agent is working on, which does not exist yet. */
  version: z.int(),
  /** The tool call that an agent requests, with its arguments cut to 200 characters. */
  toolCall: z.object({ tool: z.string(), arguments: z.string() }).nullable(),
  wouldStopAs: z.enum(STOP_REASONS).nullable(),
  /** Criteria that need scores. */
  asks: z.array(z.string()),
  since: z.string(),
  expiresAt: z.string().nullable(),
  versionCount: z.int(),
  bestScore: z.number().nullable(),
  scores: z.array(z.number().nullable()),
  claim: inboxClaimSchema.nullable(),
  /** True if it is assigned to the requester. */
  isAssigned: z.literal(true).optional(),
});
export type InboxItem = z.infer<typeof inboxItemSchema>;

/** Number of waiting items with the same experiment, kind and claim. Includes all items, regardless of the filter. */
export const inboxGroupSchema = z.object({
  experimentId: z.string(),
  experimentName: z.string(),
  kind: z.enum(WAITING_KINDS),
  whose: z.enum(['free', 'mine', 'others']),
  count: z.int(),
  /** Number of them assigned to the requester. Omitted if none. */
  assigned: z.int().min(1).optional(),
});
export type InboxGroup = z.infer<typeof inboxGroupSchema>;

export const inboxSchema = z.object({
  items: z.array(inboxItemSchema),
  nextCursor: z.string().nullable(),
  groups: z.array(inboxGroupSchema),
});
/** One page of waiting items, longest wait first, and the counts of all items. */
export type Inbox = z.infer<typeof inboxSchema>;

export const inboxRunSchema = z.object({
  run: runRecordSchema,
  experimentName: z.string(),
  settings: settingsSchema,
});
/** A run with the data needed for a decision: its record and its settings. */
export type InboxRun = z.infer<typeof inboxRunSchema>;
