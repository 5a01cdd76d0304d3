import { keepRecent } from '#lib/core/caches.ts';
import { roundTo6 } from '#lib/core/round.ts';
import { tQuantile } from '#lib/core/student-t.ts';
import { seededNumber } from '#lib/core/text-values.ts';
import { normalBelow, normalPoint, twoSidedT, wilsonInterval } from './intervals.ts';

/** Rounds to 6 decimals, with halves away from 0 on both sides, so that the negated difference gives the negated number. */
export function roundEvenly(value: number): number {
  return value < 0 ? 0 - roundTo6(-value) : roundTo6(value);
}

/**
 * Returns a function that fills lists with uniform integers from 0 to below `size` (at least 1), with Marsaglia's xorshift. The same seed
 * gives the same numbers. Fills a whole list at a time, because a call for each number would dominate the runtime.
 */
export function seededDraws(size: number, seed: string): (into: Uint32Array) => void {
  let state = Math.floor(seededNumber(seed) * 0x1_0000_0000) || 1;
  const scale = size / 0x1_0000_0000;
  return (into) => {
    let next = state;
    for (let index = 0; index < into.length; index++) {
      next ^= next << 13;
      next ^= next >>> 17;
      next ^= next << 5;
      into[index] = (next >>> 0) * scale;
    }
    state = next;
  };
}

/**
 * The mean of paired differences, its 95 % confidence bounds and its p-value. The bounds are null if fewer than 6 pairs all differ by the
 * same amount, because these show no spread.
 */
type PairedMean = {
  test: 'paired_bootstrap' | 'student_t';
  difference: number;
  low: number | null;
  high: number | null;
  p: number;
};

/** Minimum number of pairs to resample. Resamples of fewer vary too little, so that intervals would be too narrow. */
export const MIN_RESAMPLED_PAIRS = 6;
/** Maximum number of pairs to resample. With more, both methods agree and Student's t needs no resampling. */
const MAX_RESAMPLED_PAIRS = 999;
/**
 * Number of values drawn in total. A thousand samples suffice for percentiles of 2.5 % (Efron & Tibshirani 1993, ch. 13). Few pairs get
 * more samples, because they need percentiles below 1 %.
 */
const DRAWN_VALUES = 600_000;
const MIN_RESAMPLES = 1_000;
const MAX_RESAMPLES = 4_000;
/** Differences are drawn as integer millionths, so that sums are exact and differences that cancel out give exactly 0. */
const MILLION = 1_000_000;

/**
 * Returns the mean of paired differences (each from −1 to 1, compared at 6 decimals) with its 95 % interval and two-sided p. Null for fewer
 * than two pairs. Uses the bootstrap for 6 to 999 pairs: pairs are resampled with replacement, and the percentiles are widened for few
 * pairs as by Student's t. Uses Student's t for fewer and more pairs, and `equalChangeInterval` if all differences are equal. The same
 * `seed` draws the same pairs. Negated differences give negated results. Sources: Efron & Tibshirani 1993, ch. 13; Hesterberg 2015, What
 * Teachers Should Know About the Bootstrap (expanded percentiles); Student 1908.
 */
export function pairedBootstrap(differences: readonly number[], seed: string): PairedMean | null {
  const n = differences.length;
  if (n < 2) return null;
  const millionths = Float64Array.from(differences, (by) => signedRound(by * MILLION));
  if (n < MIN_RESAMPLED_PAIRS || n > MAX_RESAMPLED_PAIRS) return meanOf(millionths, seed, false);
  // Cached, because resampling takes milliseconds and each filter and page of a comparison requests the same result.
  const key = `${seed} ${millionths.join()}`;
  return keepRecent(known, key, known.get(key) ?? meanOf(millionths, seed, true), MAX_CACHED_RESULTS);
}

function meanOf(millionths: Float64Array, seed: string, isDrawn: boolean): PairedMean {
  const mean = millionths.reduce((sum, by) => sum + by, 0) / millionths.length;
  const found = isDrawn ? byResampling(millionths, mean, seed) : byT(millionths, mean);
  return {
    test: isDrawn ? 'paired_bootstrap' : 'student_t',
    difference: roundEvenly(mean / MILLION),
    low: found.low === null ? null : roundEvenly(Math.max(-MILLION, found.low) / MILLION),
    high: found.high === null ? null : roundEvenly(Math.min(MILLION, found.high) / MILLION),
    p: Math.min(1, found.p),
  };
}

const MAX_CACHED_RESULTS = 256;
const known = new Map<string, PairedMean>();

/** Returns the means of samples drawn from the values with replacement, in ascending order. */
export function resampledMeans(values: Float64Array, times: number, seed: string): Float64Array {
  const n = values.length;
  const draw = seededDraws(n, seed);
  const positions = new Uint32Array(n);
  const means = new Float64Array(times);
  for (let time = 0; time < times; time++) {
    draw(positions);
    let sum = 0;
    for (let drawn = 0; drawn < n; drawn++) sum += values[positions[drawn] ?? 0] ?? 0;
    means[time] = sum / n;
  }
  return means.sort();
}

function byResampling(values: Float64Array, mean: number, seed: string) {
  if (values.every((value) => value === values[0])) return allAlike(mean, values.length);
  const n = values.length;
  const times = Math.max(MIN_RESAMPLES, Math.min(MAX_RESAMPLES, Math.floor(DRAWN_VALUES / n)));
  const means = resampledMeans(values, times, seed);
  const widening = Math.sqrt(n / (n - 1));
  const tail = normalBelow(-widening * tQuantile(n - 1));
  let [atMostZero, atLeastZero] = [0, 0];
  for (const value of means) {
    if (value <= 0) atMostZero++;
    if (value >= 0) atLeastZero++;
  }
  const share = (Math.min(atMostZero, atLeastZero) + 1) / (times + 1);
  return {
    low: Math.min(mean, percentile(means, tail)),
    high: Math.max(mean, percentile(means, 1 - tail)),
    p: share >= 0.5 ? 1 : twoSidedT(normalPoint(share) / widening, n - 1),
  };
}

function byT(values: Float64Array, mean: number) {
  const n = values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  const error = Math.sqrt(squares / (n - 1) / n);
  if (error === 0) return allAlike(mean, n);
  const half = tQuantile(n - 1) * error;
  return { low: mean - half, high: mean + half, p: twoSidedT(mean / error, n - 1) };
}

/** Returns the result for n equal differences without resampling. Equal signs are as likely as n coins that land on the same side. */
function allAlike(mean: number, n: number): Omit<PairedMean, 'test' | 'difference'> {
  const p = mean === 0 ? 1 : 2 ** (1 - n);
  if (n < MIN_RESAMPLED_PAIRS) return { low: null, high: null, p };
  const { low, high } = equalChangeInterval(mean / MILLION, n);
  return { low: low * MILLION, high: high * MILLION, p };
}

/**
 * Returns the 95 % interval of the mean of `n` equal differences. They show no spread to estimate it from, so it assumes the largest
 * possible one of changes in the same direction, that of 0 and 1 with the same mean. It is therefore Wilson's for the size of the change.
 * Without a change, it extends to both sides, as Newcombe's does for equal shares of 0 or 1. `n`: the effective number if pairs have
 * weights.
 */
export function equalChangeInterval(change: number, n: number): { low: number; high: number } {
  const { low = 0, high = 1 } = wilsonInterval(Math.abs(change) * n, n) ?? {};
  if (change === 0) return { low: -high, high };
  return change > 0 ? { low, high } : { low: -high, high: -low };
}

/** Returns a percentile by linear interpolation between neighbors. */
function percentile(sorted: Float64Array, share: number): number {
  const index = share * (sorted.length - 1);
  const below = sorted[Math.floor(index)] ?? 0;
  const above = sorted[Math.ceil(index)] ?? below;
  return below + (above - below) * (index - Math.floor(index));
}

function signedRound(value: number): number {
  return value < 0 ? 0 - Math.round(-value) : Math.round(value);
}
