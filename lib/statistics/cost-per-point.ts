type Costs = {
  costUsd: number;
  firstScore: { mean: number; n: number } | null;
  bestScore: { mean: number; n: number } | null;
};

/** A point of score. */
const POINT = 0.1;
/** What rounds to no gain. */
const LEAST_GAIN = 0.0005;

/**
 * What a gain of 0.10 in score cost, in US dollars: all that was spent, over how far the best scores lie above the first ones in all. Null
 * where nothing was gained, or nothing is scored.
 */
export function costPerPoint({ costUsd, firstScore, bestScore }: Costs): number | null {
  if (firstScore === null || bestScore === null) return null;
  const gain = bestScore.mean - firstScore.mean;
  return gain < LEAST_GAIN ? null : costUsd / ((gain * bestScore.n) / POINT);
}
