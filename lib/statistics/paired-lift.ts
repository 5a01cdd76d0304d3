import { mean } from 'simple-statistics';
import { roundTo6 } from '#lib/core/round.ts';
import { weightedHalfWidth } from '#lib/core/student-t.ts';
import { effectiveSize, sumOf } from '#lib/core/tuning/case-weights.ts';
import { equalChangeInterval, MIN_RESAMPLED_PAIRS, pairedBootstrap, roundEvenly } from './paired-bootstrap.ts';
import type { PairedLift } from './paired-lift-schema.ts';

/** Scores of a case without and with a change, from 0 to 1. Null if a score is missing. `weight`: 1 by default. */
export type ScoredPair = { case: string; without: number | null; with: number | null; weight?: number };

/** Minimum number of cases for a reliable percentile interval. */
const ENOUGH_CASES = 10;

/**
 * Returns the paired difference of scores with a 95 % interval, see `pairedBootstrap`. The same `seed` draws the same cases. If weights
 * differ, all means are weighted, and the interval is Student's, see `weightedHalfWidth`, or that of `equalChangeInterval`. Sources: Efron
 * & Tibshirani 1993, An Introduction to the Bootstrap, ch. 13; Hesterberg 2015.
 */
export function pairedLift(pairs: readonly ScoredPair[], seed: string): PairedLift {
  const scored = pairs.flatMap(({ case: of, without, with: changed, weight = 1 }) => {
    if (without === null || changed === null) return [];
    return [{ case: of, without, with: changed, weight, by: roundEvenly(changed - without) }];
  });
  const differences = scored.map(({ by }) => by);
  const isWeighted = scored.some(({ weight }) => weight !== scored[0]?.weight);
  const weights = isWeighted ? scored.map(({ weight }) => weight) : null;
  const interval = intervalOf(differences, weights, seed);
  const meanOf = (side: 'without' | 'with') =>
    scored.length === 0
      ? null
      : roundTo6(
          meanBy(
            scored.map((pair) => pair[side]),
            weights,
          ),
        );
  const harmed = scored.filter(({ by }) => by < 0).sort((one, other) => one.by - other.by);
  return {
    n: scored.length,
    unscored: pairs.length - scored.length,
    without: meanOf('without'),
    with: meanOf('with'),
    lift: scored.length === 0 ? null : roundEvenly(meanBy(differences, weights)),
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    helped: differences.filter((by) => by > 0).length,
    harmed: harmed.length,
    same: differences.filter((by) => by === 0).length,
    isNoise: interval === null || (interval.low <= 0 && interval.high >= 0),
    isSmall: scored.length < ENOUGH_CASES,
    harmedCases: harmed.map(({ by: _by, weight: _weight, ...pair }) => pair),
  };
}

function meanBy(values: readonly number[], weights: readonly number[] | null): number {
  if (weights === null) return mean([...values]);
  return sumOf(values.map((value, at) => value * (weights[at] ?? 1))) / sumOf(weights);
}

function intervalOf(
  differences: number[],
  weights: number[] | null,
  seed: string,
): { low: number; high: number } | null {
  if (weights !== null) return weightedInterval(differences, weights);
  const { low = null, high = null } = pairedBootstrap(differences, seed) ?? {};
  return low === null || high === null ? null : { low, high };
}

/** Returns Student's 95 % interval of a weighted mean, or null if too few cases show a spread. */
function weightedInterval(differences: number[], weights: number[]): { low: number; high: number } | null {
  const size = effectiveSize(weights);
  const [first = 0] = differences;
  const isAlike = differences.every((difference) => difference === first);
  if (Math.floor(size) < (isAlike ? MIN_RESAMPLED_PAIRS : 2)) return null;
  if (isAlike) {
    const { low, high } = equalChangeInterval(first, size);
    return { low: roundEvenly(low), high: roundEvenly(high) };
  }
  const middle = meanBy(differences, weights);
  const half = weightedHalfWidth(differences, weights);
  return { low: roundEvenly(Math.max(-1, middle - half)), high: roundEvenly(Math.min(1, middle + half)) };
}
