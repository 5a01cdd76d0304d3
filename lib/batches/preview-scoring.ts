import { z } from 'zod';
import type { DatabaseContext } from '#lib/context/app-context.ts';
import { criterionShared } from '#lib/core/criterion-schema.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { nameSchema, numberBetween } from '#lib/core/setting-parts.ts';
import { latestBatchScores } from '#lib/experiments/queries.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { type ScoringEffect, scoringEffect } from '#lib/statistics/scoring-effect.ts';

const scoringInputSchema = z.strictObject({
  qualityThreshold: numberBetween(0, 1),
  criteria: z
    .array(z.strictObject({ name: nameSchema, weight: numberBetween(0, 100), threshold: criterionShared.threshold }))
    .min(1)
    .max(50),
});

/** Effect on the latest batch, the number of runs evaluated, and the settings version of the batch. */
export type ScoringPreview = ScoringEffect & { looked: number; total: number; experimentVersion: number };

/**
 * Applies edited weights and thresholds to the stored scores of an experiment's latest batch. Calls no model and stores nothing. Null if
 * nothing was evaluated yet.
 */
export async function previewScoring(
  { database }: DatabaseContext,
  experimentId: string,
  input: unknown,
): Promise<Result<ScoringPreview | null>> {
  const parsed = parseInput(scoringInputSchema, input);
  if (!parsed.ok) return parsed;
  const stored = await latestBatchScores(database, experimentId);
  if (stored === null) return succeed(null);
  const { scores, total, experimentVersion } = stored;
  return succeed({ ...scoringEffect(scores, parsed.value), looked: scores.length, total, experimentVersion });
}
