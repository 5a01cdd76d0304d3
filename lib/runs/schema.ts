import { z } from 'zod';
import { type History, SPLITS } from '#lib/core/history.ts';
import { LESSON_ADMISSIONS, LESSON_KINDS, LESSON_STATUSES, RECALL_EFFECTS } from '#lib/core/lesson-schema.ts';
import { critiqueRecordSchema, type RunRecord } from '#lib/core/run-record.ts';
import { RUN_STATUSES } from '#lib/core/run-statuses.ts';
import { spendFields } from '#lib/core/token-usage.ts';

/** A run whose input or outputs match a search, with the position of the match. */
export const outputHitSchema = z.object({
  runId: z.guid(),
  number: z.int(),
  experimentId: z.guid(),
  experimentName: z.string(),
  input: z.string().meta({ description: 'Its first 200 characters.' }),
  status: z.enum(RUN_STATUSES),
  success: z.boolean(),
  bestScore: z.number().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  version: z
    .int()
    .nullable()
    .meta({ description: 'The version whose output contains the snippet. Null: the snippet is from the input.' }),
  snippet: z.object({
    text: z.string().meta({ description: 'As it is stored, never markup.' }),
    marks: z
      .array(z.tuple([z.int(), z.int()]))
      .meta({ description: 'Positions of the matched words in the snippet: from and to, in UTF-16 units.' }),
  }),
});
export type OutputHit = z.infer<typeof outputHitSchema>;

/**
 * The rate limit that a run waits for. `since`: when the run began to wait at this step of it, or when a person resumed it during the wait.
 */
export const rateLimitSchema = z.object({
  provider: z.string(),
  model: z.string(),
  since: z.iso.datetime(),
  step: z.int(),
});
export type RateLimit = z.infer<typeof rateLimitSchema>;

/** The rate limit that a run waits for at the moment, and when it continues. */
export const currentRateLimitSchema = z.object({ provider: z.string(), until: z.iso.datetime() });
export type CurrentRateLimit = z.infer<typeof currentRateLimitSchema>;

/** Reasons a run does not progress at the moment. */
const QUEUE_REASONS = [
  'no_worker',
  'slots_full',
  'earlier_runs',
  'tried_again',
  'budget',
  'target_not_connected',
  'provider_slots',
  'rate_limit',
  'batch_held',
  'provider_rate',
  'begins',
] as const;

const queueReasonSchema = z.object({
  kind: z.enum(QUEUE_REASONS),
  message: z.string(),
  until: z.iso.datetime().nullable().meta({ description: 'When the reason ends, if that is known.' }),
});
export type QueueReason = z.infer<typeof queueReasonSchema>;

/** Position of a run in the queue and what it waits for. No reasons if it waits for neither a worker nor a model. */
export const queuePlaceSchema = z.object({
  status: z.enum(RUN_STATUSES),
  ahead: z.int().nullable().meta({ description: 'Runs that start before this one. Null if it is not queued.' }),
  reasons: z.array(queueReasonSchema),
});
export type QueuePlace = z.infer<typeof queuePlaceSchema>;

const status = z.enum(LESSON_STATUSES);
const kind = z.enum(LESSON_KINDS);

/** The lessons of a run, in their current state: those in the prompts of its versions, and those it wrote. */
export const runLessonsSchema = z.object({
  recalled: z.array(
    z.object({
      version: z.int(),
      rank: z.int(),
      lessonId: z.string(),
      kind,
      text: z.string().meta({ description: 'The text that was in the prompt, even if the lesson was edited later.' }),
      status,
      score: z
        .number()
        .nullable()
        .meta({ description: 'How well the lesson matched, from 0 to 1. Null if it was not recalled by a match.' }),
      effect: z
        .enum(RECALL_EFFECTS)
        .nullable()
        .meta({ description: 'Issues that the evaluation of the version found.' }),
      isOwn: z.boolean().meta({ description: 'The run wrote it itself.' }),
    }),
  ),
  written: z.array(
    z.object({
      id: z.string(),
      kind,
      status,
      admission: z.enum(LESSON_ADMISSIONS),
      mergedIntoId: z.string().nullable(),
      version: z.int().nullable(),
      text: z.string(),
    }),
  ),
});
export type RunLessons = z.infer<typeof runLessonsSchema>;

/** Runs to stop. Runs that wait for a person cost nothing, so they are only stopped on request. */
export const stopAllInputSchema = z.strictObject({
  waiting: z.boolean().default(false).meta({ description: 'Also the runs that wait for a person.' }),
});

/** The last request to stop all runs, and its progress. */
export const stopAllStateSchema = z.object({
  askedBy: z.string(),
  askedAt: z.iso.datetime(),
  waiting: z.boolean(),
  total: z.int().meta({ description: 'Runs that the stop request covers.' }),
  stopped: z.int(),
  doneAt: z.iso.datetime().nullable().meta({ description: 'Null while it is in progress.' }),
});
export type StopAllState = z.infer<typeof stopAllStateSchema>;

/** Number of unfinished runs by status. */
export type UnfinishedCounts = { queued: number; running: number; waiting: number };

const score = z.number().min(0).max(1);

/** A case of a tuning run as it was when the run started, except `split`, which is the current one. */
const runCaseRecordSchema = z.object({
  /** Index in the dataset, from 0. */
  position: z.int(),
  split: z.enum(SPLITS),
  input: z.string(),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
});

/** The output of a version of a tuning run's prompt on one case, and its score. */
export const exampleScoreRecordSchema = z.object({
  version: z.int(),
  position: z.int(),
  /** Counts from 0. A case that could not be scored is run once more, and the last attempt counts. */
  attempt: z.int(),
  output: z.string(),
  /** The steps that led to the output: one JSON object per line, or text. Omitted if there are none, and in lists unless requested. */
  trace: z.string().optional(),
  finishReason: z.string(),
  status: z.enum(['scored', 'partial']),
  score: score.nullable(),
  criteriaScores: z.record(z.string(), score.nullable()),
  satisfactory: z.boolean(),
  issues: critiqueRecordSchema.shape.issues,
  suggestions: z.array(z.string()),
  /** Feedback shown to models. Quotes the reference only if `tune.references` is on and the case is not held out. */
  feedback: z.string(),
  /** Shown to people only. */
  detail: z.string(),
  /** True if its responses were already paid for by another run or in the playground, so it cost nothing. */
  paidBefore: z.boolean(),
  createdAt: z.string(),
  ...spendFields,
});

/** An example score in a list, with its case. */
export const listedTrySchema = exampleScoreRecordSchema.extend({ case: runCaseRecordSchema.omit({ position: true }) });
export type ListedTry = z.infer<typeof listedTrySchema>;

/** Number of characters of a tool result that a page receives before it requests the full text. */
export const SHORT_TEXT = 1_000;

/** Returns the run with tool results truncated, because hundreds of them are megabytes. `length` keeps their full length. */
export function withShortTexts(record: RunRecord): RunRecord {
  return {
    ...record,
    observations: record.observations.map((observation) => ({
      ...observation,
      text: observation.text.slice(0, SHORT_TEXT).toWellFormed(),
    })),
  };
}

/**
 * Returns the version that a model call made, ran, judged or reflected on. Results of the open step are not saved yet, so the call's role
 * decides there. Null if there is no version it could be about.
 */
export function versionOfCall(history: History, call: { step: number; role: string }): number | null {
  const made = history.versions.find(({ step }) => step === call.step);
  if (made !== undefined) return made.number;
  const about = [history.turns, history.evaluations, history.critiques, history.lessons, history.tries]
    .flat()
    .find(({ step }) => step === call.step);
  if (about !== undefined) return about.version;
  if (call.role === 'generate' || call.role === 'revise' || call.role === 'turn') return history.versions.length;
  return history.versions.at(-1)?.number ?? null;
}
