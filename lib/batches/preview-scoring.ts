import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
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

/** The effect on the latest batch, how much of it was looked at, and under which settings it ran. */
export type ScoringPreview = ScoringEffect & { looked: number; total: number; experimentVersion: number };

/**
 * What weights and thresholds that are being edited would make of the stored scores of an experiment's latest batch. Calls
 * nothing and stores nothing; null where nothing was evaluated yet.
 */
export async function previewScoring(
  { database }: Pick<AppContext, 'database'>,
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
