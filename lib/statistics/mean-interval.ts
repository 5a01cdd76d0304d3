import { mean } from 'simple-statistics';
import { z } from 'zod';
import { roundTo6 } from '#lib/core/round.ts';
import { tQuantile } from './student-t.ts';
import { wilsonInterval } from './wilson-interval.ts';

/**
 * The mean of `n` scores, all from 0 to 1. `low` and `high` hold it with 95 % confidence; both null where one score that is neither 0
 * nor 1 says nothing of the spread.
 */
export const meanIntervalSchema = z.object({
  n: z.int().min(1),
  mean: z.number().min(0).max(1),
  low: z.number().min(0).max(1).nullable(),
  high: z.number().min(0).max(1).nullable(),
});
export type MeanInterval = z.infer<typeof meanIntervalSchema>;

/**
 * The mean of scores from 0 to 1 with its 95 % interval: Wilson's where all are 0 or 1, else Student's t, cut to 0 and 1. Null
 * without any score. Sources: Wilson 1927; Student 1908.
 */
export function meanInterval(scores: readonly number[]): MeanInterval | null {
  const n = scores.length;
  if (n === 0) return null;
  const average = mean([...scores]);
  if (scores.every((score) => score === 0 || score === 1)) {
    const wilson = wilsonInterval(scores.filter((score) => score === 1).length, n);
    return { n, mean: roundTo6(average), low: bounded(wilson?.low ?? 0), high: bounded(wilson?.high ?? 1) };
  }
  if (n === 1) return { n, mean: roundTo6(average), low: null, high: null };
  const squares = scores.reduce((sum, score) => sum + (score - average) ** 2, 0);
  const half = tQuantile(n - 1) * Math.sqrt(squares / (n - 1) / n);
  return { n, mean: roundTo6(average), low: bounded(average - half), high: bounded(average + half) };
}

function bounded(value: number): number {
  return roundTo6(Math.min(1, Math.max(0, value)));
}
