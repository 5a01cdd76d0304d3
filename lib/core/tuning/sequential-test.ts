/** What is known of the noise before the test: the variance of a difference between two scores, from so many differences. */
export type KnownNoise = { variance: number; pairs: number };

/**
 * What the test shall guarantee. `falseAcceptance`: the highest chance of `better` where there is no effect (0 to 1); `smallestGain`: the
 * mean difference that is to be found with the chance `POWER`; `least`: pairs before which nothing is decided.
 */
export type TestGoals = { falseAcceptance: number; smallestGain: number; least: number };

/** `open`: neither is shown yet. `n`: how many pairs decided it, or were looked at so far. */
export type SequentialVerdict = { verdict: 'better' | 'no_gain' | 'open'; n: number };

/** The chance to find a gain of `smallestGain`. */
export const POWER = 0.8;

/** A variance that is smaller is a matter of rounding. */
const LEAST_VARIANCE = 1e-4;

/**
 * Decides after each paired difference (new score less old, in the order they were measured, each −1 to 1) whether to go on. It weighs a
 * mean of `smallestGain` against a mean of 0 by the ratio of their likelihoods. The variance is unknown: it is averaged out with an inverse
 * gamma prior that holds what is known of the noise. `better` once the ratio reaches 1 / `falseAcceptance`, which a proposal without effect
 * reaches with that chance at most (Ville's inequality); `no_gain` once it is at most 1 − `POWER`. The first of them counts, whatever is
 * measured afterwards. Source: Wald 1945, Sequential Tests of Statistical Hypotheses; Robbins 1970 for the mixture.
 */
export function sequentialTest(
  differences: readonly number[],
  { variance, pairs }: KnownNoise,
  { falseAcceptance, smallestGain, least }: TestGoals,
): SequentialVerdict {
  const [accept, reject] = [Math.log(1 / falseAcceptance), Math.log(1 - POWER)];
  const prior = pairs * Math.max(variance, LEAST_VARIANCE);
  let [aroundNone, aroundGain] = [prior, prior];
  for (const [at, difference] of differences.entries()) {
    const n = at + 1;
    aroundNone += difference ** 2;
    aroundGain += (difference - smallestGain) ** 2;
    if (n < least) continue;
    const ratio = ((n + pairs) / 2) * Math.log(aroundNone / aroundGain);
    if (ratio >= accept) return { verdict: 'better', n };
    if (ratio <= reject) return { verdict: 'no_gain', n };
  }
  return { verdict: 'open', n: differences.length };
}
