import { mean } from 'simple-statistics';
import { roundTo6 } from '#lib/core/text-values.ts';
import { sumOf } from '#lib/core/tuning/case-weights.ts';
import { roundEvenly, seededDraws } from './paired-bootstrap.ts';
import type { PairedLift } from './paired-lift-schema.ts';

/** Scores of a case without and with a change, from 0 to 1. Null if not fully scored. `weight`: default 1. */
export type ScoredPair = { case: string; without: number | null; with: number | null; weight?: number };

/** Minimum number of cases for a reliable percentile interval. */
const ENOUGH_CASES = 10;
const RESAMPLES = 2_000;
/** Share of the distribution outside the interval at each end. */
const TAIL = 0.025;

/**
 * Returns the paired difference of scores with a 95 % bootstrap percentile interval. Cases are resampled with replacement, always with both
 * scores of a case. The same `seed` draws the same cases. If weights differ, all means are weighted, including those of the samples.
 * Source: Efron & Tibshirani 1993, An Introduction to the Bootstrap, ch. 13.
 */
export function pairedLift(pairs: readonly ScoredPair[], seed: string): PairedLift {
  const scored = pairs.flatMap((pair) =>
    pair.without === null || pair.with === null
      ? []
      : [
          {
            ...{ case: pair.case, without: pair.without, with: pair.with, weight: pair.weight ?? 1 },
            by: roundEvenly(pair.with - pair.without),
          },
        ],
  );
  const differences = scored.map(({ by }) => by);
  const isWeighted = scored.some(({ weight }) => weight !== scored[0]?.weight);
  const weights = isWeighted ? scored.map(({ weight }) => weight) : null;
  const interval = bootstrapInterval(differences, weights, seed);
  const harmed = scored.filter(({ by }) => by < 0).sort((one, other) => one.by - other.by);
  return {
    n: scored.length,
    unscored: pairs.length - scored.length,
    without:
      scored.length === 0
        ? null
        : roundTo6(
            meanBy(
              scored.map((pair) => pair.without),
              weights,
            ),
          ),
    with:
      scored.length === 0
        ? null
        : roundTo6(
            meanBy(
              scored.map((pair) => pair.with),
              weights,
            ),
          ),
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

function bootstrapInterval(
  differences: number[],
  weights: number[] | null,
  seed: string,
): { low: number; high: number } | null {
  if (differences.length < 2) return null;
  const observed = roundEvenly(meanBy(differences, weights));
  const draw = seededDraws(differences.length, seed);
  const places = new Uint32Array(differences.length);
  const means = Array.from({ length: RESAMPLES }, () => {
    draw(places);
    let [sum, total] = [0, 0];
    for (const place of places) {
      const weight = weights?.[place] ?? 1;
      sum += (differences[place] ?? 0) * weight;
      total += weight;
    }
    return roundEvenly(sum / total);
  }).sort((one, other) => one - other);
  const cut = Math.floor(RESAMPLES * TAIL);
  return {
    low: Math.min(observed, means[cut] ?? observed),
    high: Math.max(observed, means[RESAMPLES - 1 - cut] ?? observed),
  };
}
