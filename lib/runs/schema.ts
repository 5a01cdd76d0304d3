import { z } from 'zod';
import { type History, SPLITS } from '#lib/core/history.ts';
import { LESSON_ADMISSIONS } from '#lib/core/lesson-library.ts';
import { LESSON_KINDS, LESSON_STATUSES, RECALL_EFFECTS } from '#lib/core/lesson-schema.ts';
import { critiqueRecordSchema, type RunRecord } from '#lib/core/run-record.ts';
import { RUN_STATUSES } from '#lib/core/run-statuses.ts';
import { spendFields } from '#lib/core/token-usage.ts';

/** A run whose input or outputs hold what was looked for, and where. */
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

/** Why a run does not go on just now. */
const QUEUE_REASONS = [
  'no_worker',
  'slots_full',
  'earlier_runs',
  'tried_again',
  'budget',
  'target_not_connected',
  'provider_slots',
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

/** Where a run stands in the queue and what it waits for; no reasons where it waits for no worker and no model. */
export const queuePlaceSchema = z.object({
  status: z.enum(RUN_STATUSES),
  ahead: z.int().nullable().meta({ description: 'Runs that start before this one. Null if it is not queued.' }),
  reasons: z.array(queueReasonSchema),
});
export type QueuePlace = z.infer<typeof queuePlaceSchema>;

const status = z.enum(LESSON_STATUSES);
const kind = z.enum(LESSON_KINDS);

/** The lessons of a run: those in the prompts of its versions, and those it wrote, as they stand in the library now. */
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
      effect: z.enum(RECALL_EFFECTS).nullable().meta({ description: 'What the evaluation of the version says of it.' }),
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

/** What is to be stopped; those that wait for a person cost nothing, so they are left unless asked for. */
export const stopAllInputSchema = z.strictObject({
  waiting: z.boolean().default(false).meta({ description: 'Also the runs that wait for a person.' }),
});

/** The last time that everything was stopped, and how far that is. */
export const stopAllStateSchema = z.object({
  askedBy: z.string(),
  askedAt: z.iso.datetime(),
  waiting: z.boolean(),
  total: z.int().meta({ description: 'Runs that the stop request covers.' }),
  stopped: z.int(),
  doneAt: z.iso.datetime().nullable().meta({ description: 'Null while it is in progress.' }),
});
export type StopAllState = z.infer<typeof stopAllStateSchema>;

/** Runs that are not over, by what they do. */
export type UnfinishedCounts = { queued: number; running: number; waiting: number };

const score = z.number().min(0).max(1);

/** A case of a tuning run, as it was when the run was started; on the side it is on now. */
const runCaseRecordSchema = z.object({
  /** Counts from 0, in the order of the dataset. */
  position: z.int(),
  split: z.enum(SPLITS),
  input: z.string(),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
});

/** What a version of a tuning run's prompt made of one case, and how that was scored. */
export const exampleScoreRecordSchema = z.object({
  version: z.int(),
  position: z.int(),
  /** Counts from 0: a case that could not be scored is tried once more; the last attempt counts. */
  attempt: z.int(),
  output: z.string(),
  /** The steps that led to the output: one JSON object a line, or text. Omitted if there are none, and in a list unless asked for. */
  trace: z.string().optional(),
  finishReason: z.string(),
  status: z.enum(['scored', 'partial']),
  score: score.nullable(),
  criteriaScores: z.record(z.string(), score.nullable()),
  satisfactory: z.boolean(),
  issues: critiqueRecordSchema.shape.issues,
  suggestions: z.array(z.string()),
  /** What models are told of it. Quotes the reference only where `tune.references` is on and the case is not held out. */
  feedback: z.string(),
  /** For people only. */
  detail: z.string(),
  /** Its replies were paid for before, by another run or in the playground: it cost nothing. */
  paidBefore: z.boolean(),
  createdAt: z.string(),
  ...spendFields,
});

/** A try in a list: with the case it was made on. */
export const listedTrySchema = exampleScoreRecordSchema.extend({ case: runCaseRecordSchema.omit({ position: true }) });
export type ListedTry = z.infer<typeof listedTrySchema>;

/** Characters of what a tool answered that a page is given before it asks for all. */
export const SHORT_TEXT = 1_000;

/** The run with the answers of tools cut to their beginnings, `length` says how much there is: hundreds of them are megabytes. */
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
 * The version a model call was about: the one it made, tried, judged or reflected on. What came of a call of the open step is not saved
 * yet, so it goes by the call's role; null where there is no version it could be about.
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
