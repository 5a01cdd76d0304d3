import type { History } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { weightedHalfWidth } from '#lib/core/student-t.ts';
import { positionsOf, repeatedScores, scoresOfText } from './case-scores.ts';
import { effectiveSize, sumOf, weightsAt } from './case-weights.ts';
import { dueTries, exhaustedPositions, type TryStep } from './due-try.ts';
import { shuffled } from './minibatch.ts';

type Tuned = Pick<ExperimentSettings, 'tune'>;

/** Number of held-out cases on which the first prompt is scored a second time, to measure the variance of scores. */
const NOISE_CASES = 8;
/** Number of cases per step of the test. Small, so that it ends soon after the decision. */
const CASES_PER_STEP = 8;

/**
 * Returns the variance of scores: the mean square of the difference between the first and the second score of the first prompt on the same
 * held-out cases. Later scores do not change it, so verdicts stay. Null until it is measured, and if the settings do not require it.
 */
export function measuredNoise(history: History, settings: Tuned): KnownNoise | null {
  if (settings.tune.maxRepeats === 1) return null;
  const scores = repeatedScores(scoresOfText(history, 0));
  const failed = exhaustedPositions(history, 0);
  const squares: number[] = [];
  for (const position of noisePositions(history, settings)) {
    const [first, second] = scores.get(position) ?? [];
    if (first !== undefined && second !== undefined) squares.push((second - first) ** 2);
    else if (!failed.has(position)) return null;
  }
  if (squares.length === 0) return null;
  return { variance: mean(squares), pairs: squares.length };
}

/**
 * Tests if a prompt is better than the first one on the held-out cases when repeated scores vary. Two conditions must hold. A sequential
 * test over the pairs of scores, which starts once both prompts were scored on every case, excludes chance in the scores. And the interval
 * of the mean over the cases is above 0, which excludes chance in the selection of cases. If cases have weights, both use them. `n`: pairs
 * compared so far. Returns null if scores do not vary, if that is not known, and if a case could not be scored.
 */
export function finalTest(history: History, settings: Tuned, version: number): SequentialVerdict | null {
  const noise = measuredNoise(history, settings);
  const cases = positionsOf(history, 'held_out');
  if (noise === null || noise.variance === 0) return null;
  const arms = [0, version].map((number) => ({
    scores: repeatedScores(scoresOfText(history, number)),
    failed: exhaustedPositions(history, number),
  }));
  if (cases.some((position) => arms.some(({ scores }) => !scores.has(position)))) return null;
  const weights = weightsAt(history, cases);
  const testWeights = new Map(testWeightsOf(weights)?.map((weight, index) => [cases[index], weight]));
  const differences = new Map<number, number[]>(cases.map((position) => [position, []]));
  const inOrder: number[] = [];
  const weightsInOrder: number[] = [];
  let isWhole = true;
  for (const { position, times } of testOrder(history, settings)) {
    const [before, after] = arms.map(({ scores }) => scores.get(position)?.[times - 1]);
    if (before !== undefined && after !== undefined) {
      inOrder.push(after - before);
      weightsInOrder.push(testWeights.get(position) ?? 1);
      differences.get(position)?.push(after - before);
    } else if (
      !arms.some(({ scores, failed }) => failed.has(position) && (scores.get(position)?.length ?? 0) < times)
    ) {
      isWhole = false;
      break;
    }
  }
  const { falseAcceptance, smallestGain } = settings.tune;
  const goals = { falseAcceptance, smallestGain, least: cases.length };
  const { verdict } = sequentialTest(inOrder, noise, goals, weights === null ? null : weightsInOrder);
  const isAboveZero = isMeanAboveZero([...differences.values()].map(mean), weights);
  const n = inOrder.length;
  if (verdict === 'better' && isAboveZero) return { verdict, n };
  return { verdict: verdict === 'no_gain' || isWhole ? 'no_gain' : 'open', n };
}

/** Returns the next example scores of the test, after both prompts were scored on every held-out case. Null once it is decided. */
export function dueFinalTest(history: History, settings: Tuned, version: number): TryStep | null {
  if (version === 0 || settings.tune.maxRepeats === 1) return null;
  const scored = [0, version].map((number) => repeatedScores(scoresOfText(history, number)));
  if (positionsOf(history, 'held_out').some((position) => scored.some((scores) => !scores.has(position)))) return null;
  const again = dueTries(history, [{ version: 0, positions: noisePositions(history, settings) }], 'held_out', 2);
  if (again !== null) return again;
  if (finalTest(history, settings, version)?.verdict !== 'open') return null;
  const order = [...testOrder(history, settings)];
  for (let times = 2; times <= settings.tune.maxRepeats; times++) {
    const positions = order.flatMap((one) => (one.times === times ? [one.position] : []));
    for (let at = 0; at < positions.length; at += CASES_PER_STEP) {
      const look = positions.slice(at, at + CASES_PER_STEP);
      const wanted = [0, version].map((number) => ({ version: number, positions: look }));
      const next = dueTries(history, wanted, 'held_out', times);
      if (next !== null) return next;
    }
  }
  return null;
}

/**
 * Returns the weights of the sequential test, scaled so that cases with the same gain count as their effective number, which has the most
 * power. Null if all are equal.
 */
function testWeightsOf(weights: readonly number[] | null): number[] | null {
  if (weights === null) return null;
  const scale = effectiveSize(weights) / sumOf(weights);
  return weights.map((weight) => weight * scale);
}

/**
 * True if the 95% interval of a mean is above 0, by Student's t. False for fewer than two effective values. Equal values show no spread for
 * it. Their mean is above 0 if there are enough of them for the sign test.
 */
function isMeanAboveZero(values: readonly number[], weights: readonly number[] | null): boolean {
  const used = weights ?? values.map(() => 1);
  const size = values.length === 0 ? 0 : Math.floor(effectiveSize(used));
  const [first = 0] = values;
  const isAlike = values.every((value) => Math.abs(value - first) < ROUNDING_TOLERANCE);
  if (isAlike) return first > ROUNDING_TOLERANCE && size >= MIN_EQUAL_GAINS;
  if (size < 2) return false;
  const middle = sumOf(values.map((value, at) => value * (used[at] ?? 1))) / sumOf(used);
  return middle > weightedHalfWidth(values, used);
}

/** Difference of equal gains that are means, computed in floating point. */
const ROUNDING_TOLERANCE = 1e-9;
/** Minimum number of equal gains that show a direction. The two-sided sign test of six has p = 2^−5. */
const MIN_EQUAL_GAINS = 6;

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sumOf(values) / values.length;
}

function noisePositions(history: Pick<History, 'cases'>, { tune }: Tuned): number[] {
  return shuffled(positionsOf(history, 'held_out'), String, 'noise', String(tune.seed)).slice(0, NOISE_CASES);
}

/** Yields the held-out cases in the order of the test, reshuffled for each pass. `times`: number of the pass, from 1. */
function* testOrder(history: Pick<History, 'cases'>, { tune }: Tuned): Generator<{ position: number; times: number }> {
  const positions = positionsOf(history, 'held_out');
  for (let times = 1; times <= tune.maxRepeats; times++)
    for (const position of shuffled(positions, String, 'test', String(tune.seed), String(times)))
      yield { position, times };
}

/** Noise measured before the test: the variance of the difference between two scores, and the number of differences. */
type KnownNoise = { variance: number; pairs: number };

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
