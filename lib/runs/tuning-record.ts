import { z } from 'zod';
import { SPLITS } from '#lib/core/history.ts';
import { critiqueRecordSchema, spendSchema } from '#lib/core/run-record.ts';

const score = z.number().min(0).max(1);

/** A case of a tuning run, as it was when the run was started; on the side it is on now. */
export const runCaseRecordSchema = z.object({
  /** Counts from 0, in the order of the dataset. */
  position: z.int(),
  split: z.enum(SPLITS),
  input: z.string(),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
});
export type RunCaseRecord = z.infer<typeof runCaseRecordSchema>;

/** What a version of a tuning run's prompt made of one case, and how that was scored. */
export const exampleScoreRecordSchema = z.object({
  version: z.int(),
  position: z.int(),
  /** Counts from 0: a case that could not be scored is tried once more; the last attempt counts. */
  attempt: z.int(),
  output: z.string(),
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
  ...spendSchema.shape,
});
export type ExampleScoreRecord = z.infer<typeof exampleScoreRecordSchema>;

/** A try in a list: with the case it was made on. */
export const listedTrySchema = exampleScoreRecordSchema.extend({ case: runCaseRecordSchema.omit({ position: true }) });
export type ListedTry = z.infer<typeof listedTrySchema>;
