import { effectiveSize, sumOf } from './tuning/case-weights.ts';

/** 97.5 % quantile of the standard normal distribution. */
export const Z_95 = 1.959964;

/**
 * Returns the 97.5 % quantile of Student's t: from a table up to 10 degrees of freedom, above that by the Cornish-Fisher expansion (error
 * below 0.0001).
 */
export function tQuantile(degrees: number): number {
  const listed = T_TABLE[degrees - 1];
  if (listed !== undefined) return listed;
  const z = Z_95;
  return (
    z +
    (z ** 3 + z) / (4 * degrees) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3)
  );
}

const T_TABLE = [12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.306, 2.26216, 2.22814];

/**
 * Returns half the width of Student's 95 % interval of a linearized weighted mean, with degrees of freedom by the effective number of
 * values. Source: Cochran 1977, Sampling Techniques, 6.
 */
export function weightedHalfWidth(values: readonly number[], weights: readonly number[]): number {
  const n = values.length;
  const total = sumOf(weights);
  const middle = sumOf(values.map((value, at) => value * (weights[at] ?? 1))) / total;
  const squares = sumOf(values.map((value, at) => ((weights[at] ?? 1) * (value - middle)) ** 2));
  const degrees = Math.max(1, Math.floor(effectiveSize(weights)) - 1);
  return (tQuantile(degrees) * Math.sqrt((squares * n) / Math.max(1, n - 1))) / total;
}
