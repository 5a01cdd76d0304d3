import { Z_95 } from '#lib/core/student-t.ts';

/** Quantile of the standard normal distribution for 80 % power: a difference of this size is detected four times out of five. */
const Z_POWER = 0.841621;

/** Minimum number of pairs, and of changed pairs. With fewer, the exact test is not significant even if all change in one direction. */
export const MIN_PAIRS = 6;

const NEGLIGIBLE_DIFFERENCE = 0.000001;

/**
 * Returns the approximate number of cases for which McNemar's test shows the difference, if the shares of `better` and `worse` among `n`
 * cases stay the same. Null if both are equal. Source: Connor 1987, sample size for McNemar's test.
 */
export function casesForShares(n: number, better: number, worse: number): number | null {
  if (better === worse) return null;
  const changed = (better + worse) / n;
  const gain = Math.abs(better - worse) / n;
  const root = Z_95 * Math.sqrt(changed) + Z_POWER * Math.sqrt(Math.max(0, changed - gain * gain));
  return Math.max(Math.ceil((root / gain) ** 2), Math.ceil(MIN_PAIRS / changed));
}

/** Like `casesForShares`, for the mean of paired differences by its standard error. Null for fewer than two, or if the mean is 0. */
export function casesForMeans(differences: readonly number[]): number | null {
  const n = differences.length;
  if (n < 2) return null;
  const gain = differences.reduce((sum, by) => sum + by, 0) / n;
  if (Math.abs(gain) < NEGLIGIBLE_DIFFERENCE) return null;
  const variance = differences.reduce((sum, by) => sum + (by - gain) ** 2, 0) / (n - 1);
  return Math.max(MIN_PAIRS, Math.ceil(((Z_95 + Z_POWER) ** 2 * variance) / gain ** 2));
}
