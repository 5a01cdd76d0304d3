import { roundTo6 } from '#lib/core/round.ts';
import { meanInterval } from './mean-interval.ts';

/**
 * The scores of many runs at one version: `n` runs count, `made` of them really made that version, the others count on with what they
 * ended with. `standardDeviation` (of the sample) says how far runs lie apart, null below two; `low` and `high` hold the mean with 95 %
 * confidence, null where one score says nothing of the spread.
 */
export type TrajectoryPoint = {
  version: number;
  n: number;
  made: number;
  mean: number;
  standardDeviation: number | null;
  low: number | null;
  high: number | null;
};

/**
 * The mean score by version, over runs given as their scores by version (from 0 to 1, null = unscored). A run that ended early counts on
 * with its last score, for else the mean would fall as the solved ones leave. One that is unscored at a version is a gap there. A version
 * at which no run counts has no point.
 */
export function trajectorySpread(runs: readonly (readonly (number | null)[])[]): TrajectoryPoint[] {
  const length = runs.reduce((longest, scores) => Math.max(longest, scores.length), 0);
  const last = runs.map((scores) => scores.findLast((score) => score !== null) ?? null);
  const points: TrajectoryPoint[] = [];
  for (let version = 0; version < length; version++) {
    const counted: number[] = [];
    let made = 0;
    runs.forEach((scores, place) => {
      const score = version < scores.length ? (scores[version] ?? null) : (last[place] ?? null);
      if (score === null) return;
      counted.push(score);
      if (version < scores.length) made++;
    });
    const interval = meanInterval(counted);
    if (interval === null) continue;
    const { n, mean, low, high } = interval;
    points.push({ version, n, made, mean, standardDeviation: deviationOf(counted), low, high });
  }
  return points;
}

function deviationOf(scores: number[]): number | null {
  if (scores.length < 2) return null;
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const squares = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0);
  return roundTo6(Math.sqrt(squares / (scores.length - 1)));
}
