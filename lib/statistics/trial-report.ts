import { mean } from 'simple-statistics';
import { z } from 'zod';
import { pairedLift, type ScoredPair } from './paired-lift.ts';
import { pairedLiftSchema } from './paired-lift-schema.ts';

/** A run of a trial, with or without the lesson, with its scores. `key` identifies its case. */
export type TrialRun = {
  id: string;
  hasLesson: boolean;
  key: string;
  /** The beginning of the case's input. */
  case: string;
  isEnded: boolean;
  firstScore: number | null;
  bestScore: number | null;
};

const count = z.int().min(0);
const score = z.number().nullable();

/**
 * Results of a lesson in a trial. `result` compares the best version's score of each case, `firstDraft` the first version's. For several
 * runs of a case, uses the mean of the scored ones.
 */
export const trialReportSchema = z.object({
  id: z.string(),
  experimentId: z.string(),
  experimentName: z.string(),
  batchWithoutId: z.string(),
  batchWithId: z.string(),
  requestedBy: z.string(),
  createdAt: z.string(),
  runs: count,
  ended: count,
  /** Number of runs of each case on each side. */
  repetitions: count,
  result: pairedLiftSchema,
  firstDraft: pairedLiftSchema,
  /** Cases in run order, each with one run of each side as an example. At most 200. */
  cases: z.array(
    z.object({
      case: z.string(),
      without: score,
      with: score,
      runWithoutId: z.string().nullable(),
      runWithId: z.string().nullable(),
    }),
  ),
});
export type TrialReport = z.infer<typeof trialReportSchema>;

const MAX_CASES = 200;

/** Returns the part of a trial's report that depends on its runs. `seed` fixes the resampling of the interval. */
export function reportTrial(
  runs: readonly TrialRun[],
  seed: string,
): Pick<TrialReport, 'runs' | 'ended' | 'repetitions' | 'result' | 'firstDraft' | 'cases'> {
  const cases = [...Map.groupBy(runs, ({ key }) => key).values()];
  const pairs = (scoreOf: (run: TrialRun) => number | null): ScoredPair[] =>
    cases.map((ofCase) => ({
      case: ofCase[0]?.case ?? '',
      without: meanOf(ofCase.filter(({ hasLesson }) => !hasLesson).map(scoreOf)),
      with: meanOf(ofCase.filter(({ hasLesson }) => hasLesson).map(scoreOf)),
    }));
  const results = pairs(({ isEnded, bestScore }) => (isEnded ? bestScore : null));
  return {
    runs: runs.length,
    ended: runs.filter(({ isEnded }) => isEnded).length,
    repetitions: Math.max(0, ...cases.map((ofCase) => ofCase.filter(({ hasLesson }) => hasLesson).length)),
    result: pairedLift(results, seed),
    firstDraft: pairedLift(
      pairs(({ firstScore }) => firstScore),
      seed,
    ),
    cases: results.slice(0, MAX_CASES).map((pair, index) => ({
      ...pair,
      runWithoutId: cases[index]?.find(({ hasLesson }) => !hasLesson)?.id ?? null,
      runWithId: cases[index]?.find(({ hasLesson }) => hasLesson)?.id ?? null,
    })),
  };
}

function meanOf(scores: (number | null)[]): number | null {
  const known = scores.filter((score) => score !== null);
  return known.length === 0 ? null : mean(known);
}
