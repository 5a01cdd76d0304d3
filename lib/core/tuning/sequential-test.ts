/** Noise measured before the test: the variance of the difference between two scores, and the number of differences. */
export type KnownNoise = { variance: number; pairs: number };

/**
 * Goals of the test. `falseAcceptance`: maximum probability of `better` without any effect (0 to 1). `smallestGain`: mean difference to
 * detect with the probability `POWER`. `least`: minimum number of pairs before a decision.
 */
type TestGoals = { falseAcceptance: number; smallestGain: number; least: number };

/** `open`: not decided yet. `n`: number of pairs that decided it, or that were compared so far. */
export type SequentialVerdict = { verdict: 'better' | 'no_gain' | 'open'; n: number };

/** Probability of detecting a gain of `smallestGain`. */
const POWER = 0.8;

/** A smaller variance comes from rounding. */
const MIN_VARIANCE = 1e-4;

/**
 * Decides after each paired difference (new score minus old, −1 to 1, in the order they were measured) whether to continue. It compares a
 * mean of `smallestGain` with a mean of 0 by their likelihood ratio. The unknown variance is integrated out with an inverse gamma prior
 * from the measured noise. `better` once the ratio reaches 1 / `falseAcceptance`: without any effect the probability of that is at most
 * `falseAcceptance` if differences are normal and the prior is right (Ville's inequality), and about that otherwise. `no_gain` once the
 * ratio is at most 1 − `POWER`. The first crossing counts, regardless of later measurements. Source: Wald 1945, Sequential Tests of
 * Statistical Hypotheses; Robbins 1970 for the mixture.
 * `weights`: of the differences, if they differ. The gain to detect is then `smallestGain` times the weight of the pair, so the ratio grows
 * with the weighted sum. It is still a likelihood ratio, so `falseAcceptance` applies for any weights chosen in advance.
 */
export function sequentialTest(
  differences: readonly number[],
  { variance, pairs }: KnownNoise,
  { falseAcceptance, smallestGain, least }: TestGoals,
  weights: readonly number[] | null = null,
): SequentialVerdict {
  const [accept, reject] = [Math.log(1 / falseAcceptance), Math.log(1 - POWER)];
  const prior = pairs * Math.max(variance, MIN_VARIANCE);
  let [aroundNone, aroundGain] = [prior, prior];
  for (const [at, difference] of differences.entries()) {
    const n = at + 1;
    aroundNone += difference ** 2;
    aroundGain += (difference - smallestGain * (weights?.[at] ?? 1)) ** 2;
    if (n < least) continue;
    const ratio = ((n + pairs) / 2) * Math.log(aroundNone / aroundGain);
    if (ratio >= accept) return { verdict: 'better', n };
    if (ratio <= reject) return { verdict: 'no_gain', n };
  }
  return { verdict: 'open', n: differences.length };
}
