import { describe, expect, test } from 'vitest';
import { seededNumber } from '#lib/core/text-values.ts';
import { weightedInterval } from '#lib/statistics/intervals.ts';
import { pairedLift } from '#lib/statistics/paired-lift.ts';
import { tuningGain } from '#lib/statistics/tuning-gain.ts';
import { tuningSummary } from '#lib/statistics/tuning-summary.ts';
import type { History } from '../history.ts';
import { scoreOf } from '../scored-versions.ts';
import { simulateTuning } from '../simulate-tuning.test-support.ts';
import { tuningHistory, withTries } from '../tuning-history.test-support.ts';
import { candidateState } from './candidate-state.ts';
import { caseWeight, effectiveSize, weightProblem } from './case-weights.ts';
import { finalTest, sequentialTest } from './final-test.ts';
import { minibatchResult } from './minibatch.ts';
import { pairedEvidence } from './paired-evidence.ts';
import { evaluateCandidate } from './perform-tuning-step.ts';
import { forEveryTuning, tuningSettingsOf } from './simulated-tunings.test-support.ts';

const BY_WEIGHT = { weightKey: 'weight' };

describe('case weight', () => {
  test.each([
    { name: 'a number', weight: 2.5, read: 2.5 },
    { name: 'a number in a table cell', weight: ' 3 ', read: 3 },
    { name: 'the maximum', weight: 100, read: 100 },
    { name: 'nothing', weight: undefined, read: 1 },
    { name: 'null', weight: null, read: 1 },
    { name: 'an empty cell', weight: '', read: 1 },
  ])('parses $name', ({ weight, read }) => {
    expect(caseWeight(weight)).toBe(read);
    expect(weightProblem({ metadata: { weight } }, BY_WEIGHT)).toBeNull();
  });

  test.each([0, -1, 100.5, Number.NaN, '12 kg', true, [1], { of: 1 }])('rejects %j', (weight) => {
    expect(weightProblem({ metadata: { weight } }, BY_WEIGHT)).toMatch(
      /^metadata\.weight must be a number above 0, at most 100/,
    );
    expect(weightProblem({ metadata: { weight } }, { weightKey: null })).toBeNull();
    expect(caseWeight(weight)).toBe(1);
  });
});

/** Returns the history with these case weights by position. */
function weighed(history: History, weights: Record<number, number>): History {
  const cases = history.cases.map((one) => ({ ...one, weight: weights[one.position] ?? 1 }));
  return { ...history, cases };
}

const settings = tuningSettingsOf();

describe('weights affect', () => {
  const given = tuningHistory(settings, { train: 2, validation: 2 }, [
    { scores: { 0: 1, 1: 0, 2: 1, 3: 0 }, evaluated: true },
    { minibatch: [0, 1], scores: { 0: 0, 1: 1, 2: 0, 3: 1 } },
  ]);

  test('the comparison on the minibatch', () => {
    const [, proposal] = given.versions;
    if (proposal === undefined) throw new Error('there is a proposal');
    expect(minibatchResult(given, proposal)).toMatchObject({ before: 1, after: 1 });
    expect(candidateState(given, settings, proposal)).toBe('rejected');
    const heavy = weighed(given, { 1: 3 });
    expect(minibatchResult(heavy, proposal)).toMatchObject({ before: 0.5, after: 1.5 });
    expect(candidateState(heavy, settings, proposal)).toBe('accepted');
  });

  test('the score of a candidate', () => {
    const history = tuningHistory(settings, { validation: 2 }, [{ scores: { 0: 1, 1: 0 }, evaluated: true }]);
    const heavy = weighed(history, { 0: 3 });
    expect(scoreOf(history, 0)).toBe(0.5);
    expect(evaluateCandidate(heavy, settings, 0)).toMatchObject({
      ...{ overallScore: 0.75, criteriaScores: { right: 0.75 } },
      detail: 'Weighted mean of 2 cases, 1 of them satisfactory.',
    });
    expect(tuningSummary(heavy, settings).versions[0]?.validation).toMatchObject({ n: 2, mean: 0.75 });
  });

  test('the evidence: one heavy case that got worse outweighs many light ones that improved', () => {
    const light = Array.from({ length: 8 }, (_case, at) => at);
    const history = tuningHistory(settings, { validation: 9 }, [
      { scores: Object.fromEntries([...light.map((at) => [at, 0]), [8, 1]]) },
      { scores: Object.fromEntries([...light.map((at) => [at, 1]), [8, 0]]) },
    ]);
    const all = [...light, 8];
    expect(pairedEvidence(history, 1, 0, all)).toMatchObject({ better: 8, worse: 1, verdict: 'better' });
    const evidence = pairedEvidence(weighed(history, { 8: 20 }), 1, 0, all);
    expect(evidence).toMatchObject({ better: 8, worse: 1, difference: -0.428571, verdict: 'not_enough_evidence' });
    expect(evidence.p).toBe(1);
  });

  test('the confidence interval of a gain', () => {
    const pairs = Array.from({ length: 12 }, (_pair, at) => ({
      case: String(at),
      without: 0,
      with: at < 6 ? 1 : 0,
      weight: at < 6 ? 9 : 1,
    }));
    const { lift, low, high, without } = pairedLift(pairs, 'seed');
    expect({ lift, without }).toEqual({ lift: 0.9, without: 0 });
    expect(low).toBeGreaterThan(0.5);
    expect(high).toBeLessThanOrEqual(1);
    const plain = pairedLift(
      pairs.map(({ weight: _weight, ...pair }) => pair),
      'seed',
    );
    expect(plain.lift).toBe(0.5);
    expect(
      pairedLift(
        pairs.map((pair) => ({ ...pair, weight: 4 })),
        'seed',
      ),
    ).toEqual(plain);
  });
});

/** Returns the history without its cases. */
function courseOf({ cases: _cases, ...history }: History) {
  return history;
}

test('equal weights give exactly the same results as no weights', async () => {
  let proposals = 0;
  await forEveryTuning(async (_run, given, script) => {
    const [plain, equal] = await Promise.all(
      (['none', 'equal'] as const).map((weights) => simulateTuning(given, { ...script, weights })),
    );
    if (plain === undefined || equal === undefined) throw new Error('both were simulated');
    expect(equal.history.cases.every(({ weight }) => weight === 7)).toBe(true);
    expect(equal.ending).toEqual(plain.ending);
    expect(courseOf(equal.history)).toEqual(courseOf(plain.history));
    expect(tuningSummary(equal.history, given)).toEqual(tuningSummary(plain.history, given));
    proposals += plain.history.versions.length - 1;
  }, 150);
  expect(proposals).toBeGreaterThan(0);
});

/** A normally distributed number (Box and Muller 1958). */
function normal(...keys: string[]): number {
  const [one, other] = ['a', 'b'].map((key) => seededNumber(...keys, key));
  return Math.sqrt(-2 * Math.log(1 - (one ?? 0))) * Math.cos(2 * Math.PI * (other ?? 0));
}

const TRIALS = 600;
const CASES = 30;
/** Most cases have weight 1, some 10. */
const weightAt = (trial: number, at: number) => (seededNumber('weight', String(trial), String(at)) < 0.2 ? 10 : 1);

describe(`${TRIALS} comparisons of equivalent prompts on cases of very different weight`, () => {
  test('calls at most 5% better or worse', () => {
    let shown = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const score = (version: number, at: number) =>
        seededNumber('null', String(trial), String(version), String(at)) < 0.5 ? 1 : 0;
      const scores = (version: number) =>
        Object.fromEntries(Array.from({ length: CASES }, (_case, at) => [at, score(version, at)]));
      const history = tuningHistory(settings, { validation: CASES }, [{ scores: scores(0) }, { scores: scores(1) }]);
      const weights = Object.fromEntries(Array.from({ length: CASES }, (_case, at) => [at, weightAt(trial, at)]));
      const positions = history.cases.map(({ position }) => position);
      const { verdict } = pairedEvidence(weighed(history, weights), 1, 0, positions);
      if (verdict !== 'not_enough_evidence') shown++;
    }
    expect(shown / TRIALS).toBeLessThanOrEqual(0.05);
    expect(shown).toBeGreaterThan(0);
  });

  const goals = { falseAcceptance: 0.05, smallestGain: 0.1, least: CASES };
  const decided = (gain: number) => {
    const verdicts = Array.from({ length: TRIALS }, (_trial, trial) => {
      const raw = Array.from({ length: CASES }, (_case, at) => weightAt(trial, at));
      const scale = raw.reduce((sum, one) => sum + one, 0) / raw.reduce((sum, one) => sum + one ** 2, 0);
      const weights = Array.from({ length: 8 * CASES }, (_pair, at) => scale * (raw[at % CASES] ?? 1));
      const differences = weights.map((_weight, at) => gain + 0.28 * normal(String(trial), String(at)));
      return sequentialTest(differences, { variance: 0.28 ** 2, pairs: 8 }, goals, weights).verdict;
    });
    return verdicts.filter((verdict) => verdict === 'better').length / TRIALS;
  };

  test('the final test accepts at most 5% without a gain and detects most real gains', () => {
    expect(decided(0)).toBeLessThanOrEqual(0.05);
    expect(decided(0.1)).toBeGreaterThanOrEqual(0.6);
  });

  test('95% of the confidence intervals contain the true mean, or slightly more', () => {
    let held = 0;
    let width = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const weights = Array.from({ length: CASES }, (_case, at) => weightAt(trial, at));
      const scores = weights.map((_weight, at) => {
        const score = 0.5 + 0.1 * normal('mean', String(trial), String(at));
        return Math.min(1, Math.max(0, score));
      });
      const found = weightedInterval(scores, new Set(weights).size === 1 ? null : weights);
      if ((found?.low ?? 1) <= 0.5 && (found?.high ?? 0) >= 0.5) held++;
      width += ((found?.high ?? 1) - (found?.low ?? 0)) / TRIALS;
    }
    expect(held / TRIALS).toBeGreaterThanOrEqual(0.92);
    expect(held / TRIALS).toBeLessThanOrEqual(0.99);
    // Student's interval alone has a mean width of about 0.135.
    expect(width).toBeLessThan(0.155);
  });
});

test('the interval of binary scores uses the effective number of cases', () => {
  const weights = [4, 1, 1, 1, 1];
  expect(effectiveSize(weights)).toBeCloseTo(3.2, 10);
  const found = weightedInterval([1, 0, 0, 0, 0], weights);
  // Wilson interval for 1.6 of 3.2 cases, computed by hand.
  expect(found).toMatchObject({ n: 5, mean: 0.5 });
  expect(found?.low).toBeCloseTo(0.130694, 4);
  expect(found?.high).toBeCloseTo(0.869306, 4);
});

test('the final test of a run weights its held-out cases', () => {
  const held = Array.from({ length: 12 }, (_case, at) => 2 + at);
  const noisy = tuningSettingsOf({ tune: { maxRepeats: 2 } });
  const lot = (version: number, position: number, time: number) =>
    0.05 * seededNumber('noise', String(version), String(position), String(time));
  const scoresOf = (version: number, time: number) =>
    Object.fromEntries(
      held.map((at) => [at, (version === 1 && at < 6 ? 0.9 : version === 1 ? 0.2 : 0.5) + lot(version, at, time)]),
    );
  const once = tuningHistory(noisy, { train: 1, validation: 1, held_out: 12 }, [
    { scores: { 1: 0, ...scoresOf(0, 0) }, evaluated: true },
    { minibatch: [0], scores: { 1: 1, ...scoresOf(1, 0) }, evaluated: true },
  ]);
  const history = withTries(withTries(once, 0, scoresOf(0, 1)), 1, scoresOf(1, 1));
  expect(finalTest(history, noisy, 1)?.verdict).toBe('no_gain');
  const heavy = Object.fromEntries(held.map((at) => [at, at < 6 ? 40 : 1]));
  expect(finalTest(weighed(history, heavy), noisy, 1)?.verdict).toBe('better');
  expect(tuningGain(weighed(history, heavy), noisy)?.heldOut).toMatchObject({ verdict: 'better' });
});
