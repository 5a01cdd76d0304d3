import { describe, expect, test } from 'vitest';
import { seededNumber } from '#lib/core/text-values.ts';
import { tuningGain } from '#lib/statistics/tuning-gain.ts';
import type { History } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import { tuningHistory, withTries } from '../tuning-history.test-support.ts';
import { heldOutStep } from './due-tuning-step.ts';
import { finalTest, measuredNoise } from './final-test.ts';
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
