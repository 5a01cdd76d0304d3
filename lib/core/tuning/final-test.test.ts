import fc from 'fast-check';
import { probit } from 'simple-statistics';
import { describe, expect, test } from 'vitest';
import { seededNumber } from '#lib/core/text-values.ts';
import { tuningGain } from '#lib/statistics/tuning-gain.ts';
import type { History } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import { tuningHistory, withTries } from '../tuning-history.test-support.ts';
import { heldOutStep } from './due-tuning-step.ts';
import { finalTest, measuredNoise, sequentialTest } from './final-test.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

/** Score of a prompt on a case at its n-th repetition, or null if it cannot be scored. */
type Score = (version: number, position: number, time: number) => number | null;

const HELD_OUT = 20;

const settingsOf = (tune: Partial<ExperimentSettings['tune']> = {}) => tuningSettingsOf({ tune });

/** A run with two validated prompts, of which the second has the better validation score. */
function ended(settings: ExperimentSettings, heldOut = HELD_OUT): History {
  return tuningHistory(settings, { train: 1, validation: 1, held_out: heldOut }, [
    { scores: { 1: 0 }, evaluated: true },
    { output: 'another {{input}}', parent: 0, minibatch: [0], scores: { 1: 1 }, evaluated: true },
  ]);
}

/** Performs all held-out scoring that is due at the end. */
function tested(settings: ExperimentSettings, score: Score, history = ended(settings)): History {
  for (;;) {
    const step = heldOutStep(history, settings, 'max_iterations', null);
    if (step === null) return history;
    for (const { version, positions } of step.parts) {
      const times = (position: number) =>
        history.tries.filter((one) => one.version === version && one.position === position).length;
      const scores = positions.map((position) => [position, score(version, position, times(position))]);
      history = withTries(history, version, Object.fromEntries(scores));
    }
  }
}

const heldOutTries = (history: History) => history.tries.filter(({ position }) => position > 1).length;

function noisy(seed: number, sigma: number, gain: number): Score {
  return (version, position, time) => {
    const lot = (part: string) => seededNumber(String(seed), String(version), String(position), String(time), part);
    const normal = Math.sqrt(-2 * Math.log(1 - lot('a'))) * Math.cos(2 * Math.PI * lot('b'));
    const mean = 0.3 + 0.3 * seededNumber('case', String(position)) + (version === 0 ? 0 : gain);
    return Math.min(1, Math.max(0, mean + sigma * normal));
  };
}

describe('without noise', () => {
  const same: Score = (version, position) => (version + position) % 2;

  test('repeats the first prompt on 8 cases and performs no test', () => {
    const history = tested(settingsOf(), same);
    expect(measuredNoise(history, settingsOf())).toEqual({ variance: 0, pairs: 8 });
    expect(finalTest(history, settingsOf(), 1)).toBeNull();
    expect(heldOutTries(history)).toBe(2 * HELD_OUT + 8);
  });

  test('repeats nothing if the settings allow one score per case', () => {
    const settings = settingsOf({ maxRepeats: 1 });
    expect(heldOutTries(tested(settings, same))).toBe(2 * HELD_OUT);
  });
});

test('does not test the first prompt against itself', () => {
  const settings = settingsOf();
  const history = tuningHistory(settings, { train: 1, validation: 1, held_out: 4 }, [
    { scores: { 1: 0 }, evaluated: true },
  ]);
  expect(heldOutTries(tested(settings, noisy(1, 0.2, 0), history))).toBe(4);
});

describe('with noise', () => {
  test('a large gain needs one score per case', () => {
    const history = tested(settingsOf(), noisy(1, 0.1, 0.3));
    expect(finalTest(history, settingsOf(), 1)?.verdict).toBe('better');
    expect(heldOutTries(history)).toBe(2 * HELD_OUT + 8);
    expect(tuningGain(history, settingsOf())?.heldOut).toMatchObject({
      verdict: 'better',
      isNoise: false,
      pairs: HELD_OUT,
    });
  });

  test('an insignificant gain is not enough evidence, regardless of the sign test', () => {
    const history = tested(settingsOf(), noisy(3, 0.1, 0.01));
    expect(finalTest(history, settingsOf(), 1)?.verdict).toBe('no_gain');
    expect(tuningGain(history, settingsOf())?.heldOut).toMatchObject({ verdict: 'not_enough_evidence', isNoise: true });
  });

  test('repeats no case more often than allowed, and the test ends', () => {
    const settings = settingsOf({ maxRepeats: 2 });
    for (let seed = 0; seed < 40; seed++) {
      const history = tested(settings, noisy(seed, 0.4, 0.05));
      expect(finalTest(history, settings, 1)?.verdict).toMatch(/better|no_gain/);
      for (const tries of Map.groupBy(history.tries, ({ version, position }) => `${version} ${position}`).values())
        expect(tries.length).toBeLessThanOrEqual(2);
    }
  });

  test('performs no test if a case cannot be scored', () => {
    const settings = settingsOf();
    const score = noisy(5, 0.3, 0.05);
    const history = tested(settings, (version, position, time) =>
      position === 3 ? null : score(version, position, time),
    );
    expect(finalTest(history, settings, 1)).toBeNull();
    // The case is retried once with each prompt, then left without a score.
    expect(heldOutTries(history)).toBe(2 * HELD_OUT + 2);
  });

  test('excludes a case whose repetition cannot be scored, and the test still ends', () => {
    const settings = settingsOf();
    const score = noisy(5, 0.3, 0.05);
    const history = tested(settings, (version, position, time) =>
      position % 3 === 0 && time > 0 ? null : score(version, position, time),
    );
    expect(finalTest(history, settings, 1)?.verdict).toMatch(/better|no_gain/);
  });

  test('detects a large gain on most cases even with little noise per case', () => {
    const settings = settingsOf();
    const found = Array.from({ length: 60 }, (_run, seed) => {
      const little = noisy(seed, 0.01, 0);
      const score: Score = (version, position, time) =>
        (little(version, position, time) ?? 0) + (version === 1 && position % 5 < 3 ? 0.4 : 0);
      return finalTest(tested(settings, score), settings, 1)?.verdict;
    });
    expect(found.filter((verdict) => verdict === 'better')).toHaveLength(60);
  });

  test('calls hardly any of 200 prompts better that help some cases and harm others', () => {
    const settings = settingsOf();
    const found = Array.from({ length: 200 }, (_run, seed) => {
      const noise = noisy(seed, 0.1, 0);
      const effect = (position: number) => {
        const lot = seededNumber('effect', String(seed), String(position));
        return lot < 0.4 ? 0.3 : lot < 0.8 ? -0.3 : 0;
      };
      const score: Score = (version, position, time) =>
        (noise(version, position, time) ?? 0) + (version === 1 ? effect(position) : 0);
      return finalTest(tested(settings, score), settings, 1)?.verdict;
    });
    expect(found.filter((verdict) => verdict === 'better').length / 200).toBeLessThanOrEqual(0.05);
  });

  test('two cases with different gains are too few', () => {
    const settings = settingsOf({ smallestGain: 0.4 });
    const score: Score = (version, position, time) => 0.2 + 0.02 * (time % 2) + version * (position === 2 ? 0.5 : 0.4);
    const history = tested(settings, score, ended(settings, 2));
    expect(finalTest(history, settings, 1)?.verdict).toBe('no_gain');
    expect(tuningGain(history, settings)?.heldOut?.verdict).not.toBe('better');
  });

  test.each([
    [2, 'no_gain'],
    [5, 'no_gain'],
    [6, 'better'],
  ])('an equal gain on each of %i cases: %s', (cases, verdict) => {
    const settings = settingsOf({ smallestGain: 0.4 });
    const score: Score = (version, _position, time) => 0.2 + 0.02 * (time % 2) + version * 0.4;
    const history = tested(settings, score, ended(settings, cases));
    expect(finalTest(history, settings, 1)?.verdict).toBe(verdict);
    expect(tuningGain(history, settings)?.heldOut?.verdict === 'better').toBe(verdict === 'better');
  });

  test('a verdict stays when more scores are added', () => {
    const settings = settingsOf();
    const history = tested(settings, noisy(7, 0.2, 0.1));
    const before = finalTest(history, settings, 1);
    const more = withTries(
      history,
      1,
      Object.fromEntries(Array.from({ length: HELD_OUT }, (_case, at) => [at + 2, 0])),
    );
    expect(finalTest(more, settings, 1)).toEqual(before);
  });

  test.each([0.1, 0.2])('200 runs at noise %d: few false gains, and most gains of 0.1 are detected', (sigma) => {
    const settings = settingsOf();
    const found = (gain: number) =>
      Array.from({ length: 200 }, (_run, seed) =>
        finalTest(tested(settings, noisy(seed, sigma, gain)), settings, 1),
      ).filter((test) => test?.verdict === 'better').length / 200;
    expect(found(0)).toBeLessThanOrEqual(0.07);
    expect(found(0.1)).toBeGreaterThanOrEqual(0.75);
  });
});

const GOALS = { falseAcceptance: 0.05, smallestGain: 0.1, least: 4 };
const noise = (sigma: number) => ({ variance: 2 * sigma ** 2, pairs: 8 });

/** Returns a normally distributed number seeded by the keys (Box and Muller 1958). */
function normal(...keys: string[]): number {
  const [one, other] = ['a', 'b'].map((key) => seededNumber(...keys, key));
  return Math.sqrt(-2 * Math.log(1 - (one ?? 0))) * Math.cos(2 * Math.PI * (other ?? 0));
}

/** Returns the paired differences of a trial: two scores between 0 and 1 with the given noise. */
function differences(trial: number, sigma: number, gain: number, length: number): number[] {
  const score = (at: number, arm: string, mean: number) =>
    Math.min(1, Math.max(0, mean + sigma * normal(String(trial), String(at), arm)));
  return Array.from({ length }, (_pair, at) => {
    const base = 0.3 + 0.3 * seededNumber('base', String(trial), String(at));
    return score(at, 'new', base + gain) - score(at, 'old', base);
  });
}

/** Number of pairs that a one-sided fixed-size test with known noise needs for the same error rates: (z₁₋ᶠ + zₚ)² × variance / gain². */
const fixedSize = (sigma: number, { falsely, found }: { falsely: number; found: number }) =>
  Math.ceil(((probit(1 - falsely) + probit(found)) ** 2 * 2 * sigma ** 2) / GOALS.smallestGain ** 2);

const TRIALS = 500;

describe.each([0.1, 0.2])('500 trials with noise %d', (sigma) => {
  const decided = (gain: number) =>
    Array.from({ length: TRIALS }, (_trial, trial) =>
      sequentialTest(differences(trial, sigma, gain, 200), noise(sigma), GOALS),
    );
  const share = (gain: number) => decided(gain).filter(({ verdict }) => verdict === 'better').length / TRIALS;

  test('accept at most 5% of the proposals without effect', () => {
    expect(share(0)).toBeLessThanOrEqual(0.05);
  });

  test('detect a gain of 0.1 in at least 80%', () => {
    expect(share(GOALS.smallestGain)).toBeGreaterThanOrEqual(0.8);
  });

  test('need at most half the pairs of a fixed-size test if a proposal has no effect', () => {
    const pairs = decided(0).reduce((sum, { n }) => sum + n, 0) / TRIALS;
    const chances = { falsely: share(0), found: share(GOALS.smallestGain) };
    expect(pairs / fixedSize(sigma, chances)).toBeLessThanOrEqual(0.5);
  });

  test('accept at most 1% of the worse proposals', () => {
    expect(share(-0.05)).toBeLessThanOrEqual(0.01);
  });
});

test('later measurements do not change the result', () => {
  const difference = fc.integer({ min: -10, max: 10 }).map((tenths) => tenths / 10);
  fc.assert(
    fc.property(fc.array(difference, { maxLength: 60 }), fc.array(difference, { maxLength: 20 }), (seen, later) => {
      const before = sequentialTest(seen, noise(0.1), GOALS);
      const after = sequentialTest([...seen, ...later], noise(0.1), GOALS);
      if (before.verdict === 'open') expect(before.n).toBe(seen.length);
      else expect(after).toEqual(before);
    }),
  );
});

test.each([
  { name: 'no measurements', seen: [], expected: { verdict: 'open', n: 0 } },
  { name: 'no difference', seen: Array(20).fill(0), expected: { verdict: 'no_gain', n: 5 } },
  { name: 'a gain on too few pairs', seen: Array(3).fill(0.3), expected: { verdict: 'open', n: 3 } },
  { name: 'a gain on enough pairs', seen: Array(20).fill(0.2), expected: { verdict: 'better', n: 5 } },
  { name: 'no gain on too few pairs', seen: [-1, -1, -1], expected: { verdict: 'open', n: 3 } },
])('$name', ({ seen, expected }) => {
  expect(sequentialTest(seen, noise(0.1), GOALS)).toEqual(expected);
});

describe('held-out cases and the rest of the budget', () => {
  const tries = 2 * HELD_OUT;

  test.each<[string, Partial<ExperimentSettings['budget']>, boolean]>([
    ['calls for all of them', { maxCalls: 100 + 2 * tries }, true],
    ['calls for all but one', { maxCalls: 100 + 2 * tries - 1 }, false],
    ['tokens for all of them', { maxTokens: 100 * (2 + tries) }, true],
    ['tokens for all but one', { maxTokens: 100 * (2 + tries) - 1 }, false],
    ['the cost of all of them', { maxCostUsd: 0.01 * (2 + tries) }, true],
    ['the cost of all but one', { maxCostUsd: 0.01 * (1 + tries) }, false],
  ])('are tried only with %s', (_name, budget, isTried) => {
    const settings = { ...settingsOf(), budget: { ...settingsOf().budget, ...budget } };
    const [first, last] = ended(settings).tries.filter(({ position }) => position === 1);
    const paid = { tokenUsage: { input: 50, output: 50, total: 100 }, costUsd: 0.01 };
    const tried = [first, last].flatMap((one) => (one === undefined ? [] : [{ ...one, ...paid }]));
    const history = { ...ended(settings), tries: tried, calls: 100 };
    const step = heldOutStep(history, settings, 'max_iterations', null);
    expect(step === null).toBe(!isTried);
  });
});
