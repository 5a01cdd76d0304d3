import { errorFunction, gammaln, mean, probit } from 'simple-statistics';
import { roundTo6 } from '#lib/core/round.ts';
import { tQuantile, weightedHalfWidth, Z_95 } from '#lib/core/student-t.ts';
import { effectiveSize, sumOf } from '#lib/core/tuning/case-weights.ts';

/** A share with its 95 % confidence bounds, all from 0 to 1. */
export type Interval = { low: number; share: number; high: number };

/**
 * Returns the 95 % Wilson score interval of `successes` out of `total`. Null for an empty sample. Unlike the normal interval, it stays
 * within 0 and 1 and is valid for small samples. Source: Wilson 1927.
 */
export function wilsonInterval(successes: number, total: number): Interval | null {
  if (total <= 0) return null;
  const share = successes / total;
  const squared = Z_95 * Z_95;
  const centre = (share + squared / (2 * total)) / (1 + squared / total);
  const half =
    (Z_95 / (1 + squared / total)) * Math.sqrt((share * (1 - share)) / total + squared / (4 * total * total));
  return { low: Math.max(0, centre - half), share, high: Math.min(1, centre + half) };
}

/** Returns the share of the standard normal distribution below `value`, accurate to about 7 digits even in the tails. */
export function normalBelow(value: number): number {
  return (1 + errorFunction(value / Math.SQRT2)) / 2;
}

/** Returns the quantile of the standard normal distribution for `share`, which must be between 0 and 1 (both excluded). */
export function normalPoint(share: number): number {
  if (share > 0.5) return -normalPoint(1 - share);
  // The library's quantile is off by up to 0.002. Newton steps correct that.
  let value = probit(share);
  for (let step = 0; step < NEWTON_STEPS; step++) value -= (normalBelow(value) - share) / density(value);
  return value;
}

const NEWTON_STEPS = 4;

function density(value: number): number {
  return Math.exp(-value * value * 0.5) / Math.sqrt(2 * Math.PI);
}

/**
 * Returns the two-sided p-value of Student's t, from 1 (at 0) to 0. `degrees` of freedom must be at least 1. Source: Abramowitz & Stegun
 * 1964, 26.7.1 with 26.5.8, the incomplete beta function by its continued fraction.
 */
export function twoSidedT(value: number, degrees: number): number {
  if (!Number.isFinite(value)) return 0;
  return incompleteBeta(degrees / (degrees + value * value), degrees / 2, 0.5);
}

const TERMS = 300;
const CLOSE_ENOUGH = 1e-14;
/** Replaces 0 as a divisor. */
const TINY = 1e-300;

function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(gammaln(a + b) - gammaln(a) - gammaln(b) + a * Math.log(x) + b * Math.log(1 - x));
  // On this side of the mean the continued fraction converges quickly.
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

/** Evaluates the continued fraction with Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  let over = 1;
  let under = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let value = under;
  for (let term = 1; term <= TERMS; term++) {
    const even = (term * (b - term) * x) / ((a + 2 * term - 1) * (a + 2 * term));
    under = 1 / notZero(1 + even * under);
    over = notZero(1 + even / over);
    value *= under * over;
    const odd = (-(a + term) * (a + b + term) * x) / ((a + 2 * term) * (a + 2 * term + 1));
    under = 1 / notZero(1 + odd * under);
    over = notZero(1 + odd / over);
    const change = under * over;
    value *= change;
    if (Math.abs(change - 1) < CLOSE_ENOUGH) return value;
  }
  return value;
}

function notZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/** The mean of `n` values with its 95% confidence interval, whose ends are null if the values have no spread and no range. */
export type MeanInterval = { n: number; mean: number; low: number | null; high: number | null };

/**
 * Returns the mean of scores from 0 to 1 with its 95 % interval. Wilson's assumes the largest spread that scores with this mean can have,
 * that of 0 and 1. It is used alone if all scores are 0 or 1, or if all are equal and so show no spread. Otherwise `narrowed` limits it. A
 * single score between 0 and 1 has no interval. Null without scores. Sources: Wilson 1927; Bhatia & Davis 2000, A Better Bound on the
 * Variance (largest spread).
 */
export function meanInterval(scores: readonly number[]): MeanInterval | null {
  const n = scores.length;
  if (n === 0) return null;
  const average = mean([...scores]);
  if (n === 1 && average > 0 && average < 1) return { n, mean: roundTo6(average), low: null, high: null };
  const widest = wilsonMean(n, average, n);
  if (lackSpread(scores)) return widest;
  const { mean: middle, high } = studentInterval([...scores, 0, 1]) ?? { mean: average, high: null };
  return high === null ? widest : narrowed(widest, middle, high - middle);
}

/**
 * Limits an interval to Student's of the scores and two more, 0 and 1. Without these two, scores near 1 that miss a rare 0 would have a far
 * too narrow one. Source: Agresti & Coull 1998 (added observations).
 */
export function narrowed<Bounds extends { low: number | null; high: number | null }>(
  widest: Bounds,
  middle: number,
  half: number,
): Bounds {
  const { low, high } = widest;
  return {
    ...widest,
    low: bounded(Math.max(low ?? 0, middle - half)),
    high: bounded(Math.min(high ?? 1, middle + half)),
  };
}

/** Returns true if the spread of scores is set by their mean, or if there is none to estimate. */
function lackSpread(scores: readonly number[]): boolean {
  const [first = 0] = scores;
  return (
    scores.every((score) => score === 0 || score === 1) ||
    scores.every((score) => Math.abs(score - first) < ROUNDING_TOLERANCE)
  );
}

/** Difference of equal scores that are means, computed in floating point. */
const ROUNDING_TOLERANCE = 1e-9;

function wilsonMean(n: number, average: number, effective: number): MeanInterval {
  const wilson = wilsonInterval(average * effective, effective);
  return { n, mean: roundTo6(average), low: bounded(wilson?.low ?? 0), high: bounded(wilson?.high ?? 1) };
}

/**
 * Returns the weighted mean of scores from 0 to 1 with its 95 % interval. `weights`: null if all are equal, which gives `meanInterval`.
 * Like `meanInterval`, with the effective sample size for Wilson's interval, and Student's t of a linearized weighted mean. `n` is the
 * number of scores. Sources: Kish 1965, Survey Sampling; Korn & Graubard 1998; Cochran 1977, ch. 6.
 */
export function weightedInterval(scores: readonly number[], weights: readonly number[] | null): MeanInterval | null {
  const n = scores.length;
  if (weights === null || n === 0) return meanInterval(scores);
  const average = sumOf(scores.map((score, at) => score * (weights[at] ?? 0))) / sumOf(weights);
  const widest = wilsonMean(n, average, effectiveSize(weights));
  if (lackSpread(scores)) return widest;
  const weight = sumOf(weights) / n;
  return narrowed(
    widest,
    (average * n + 1) / (n + 2),
    weightedHalfWidth([...scores, 0, 1], [...weights, weight, weight]),
  );
}

/**
 * Returns the mean of unbounded values with Student's 95 % interval. A single value and equal values have no interval, because they show no
 * spread. Null without values. Source: Student 1908.
 */
export function studentInterval(values: readonly number[]): MeanInterval | null {
  const n = values.length;
  if (n === 0) return null;
  const average = mean([...values]);
  if (values.every((value) => value === values[0])) return { n, mean: average, low: null, high: null };
  const squares = values.reduce((sum, value) => sum + (value - average) ** 2, 0);
  const half = tQuantile(n - 1) * Math.sqrt(squares / (n - 1) / n);
  return { n, mean: average, low: average - half, high: average + half };
}

function bounded(value: number): number {
  return roundTo6(Math.min(1, Math.max(0, value)));
}
