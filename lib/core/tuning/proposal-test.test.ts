import { describe, expect, test } from 'vitest';
import { seededNumber } from '#lib/core/text-values.ts';
import { appendResult } from '../append-result.ts';
import type { History } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import { tuningHistory, withTries } from '../tuning-history.test-support.ts';
import { candidateState } from './candidate-state.ts';
import { effectiveScores, validationPositions } from './cases-of.ts';
import { dueTuningStep } from './due-tuning-step.ts';
import { evaluateCandidate } from './perform-tuning-step.ts';
import { measuredNoise } from './proposal-test.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

const settingsOf = (tune: Partial<ExperimentSettings['tune']> = {}) =>
  tuningSettingsOf({ qualityThreshold: 1, tune: { acceptance: 'sequential', validationShare: 0.5, ...tune } });

/** What a prompt scores on a case at its n-th try. */
type Score = (version: number, position: number, time: number) => number;

const CASES = { train: 4, validation: 20 };

/** Makes the tries and evaluations that are due until the next proposal is, or the run has nothing more to do. */
function played(history: History, settings: ExperimentSettings, score: Score): History {
  for (;;) {
    const step = dueTuningStep(history, settings);
    if (step?.type === 'try') {
      const times = (position: number) =>
        history.tries.filter((one) => one.version === step.version && one.position === position).length;
      const scores = step.positions.map((position) => [position, score(step.version, position, times(position))]);
      history = withTries(history, step.version, Object.fromEntries(scores));
    } else if (step?.type === 'evaluate') {
      const made = evaluateCandidate(history, settings, step.version);
      const evaluation = { ...made, version: step.version, by: 'machine' as const, actor: null, reason: null };
      const stamp = { sameModelJudge: false, createdAt: '2026-01-05T10:00:00.000Z', step: history.step };
      history = appendResult(history, { type: 'evaluation', evaluation: { ...evaluation, ...stamp } });
    } else return history;
  }
}

/** A run whose first prompt is tried as far as it must be, and then a proposal that was made from it. */
function proposed(settings: ExperimentSettings, score: Score): History {
  const given = played(tuningHistory(settings, CASES, [{}]), settings, score);
  const [first] = given.versions;
  if (first === undefined) throw new Error('a tuning run has a first version');
  const proposal = { round: 0, positions: [0, 1, 2], diagnosis: '', problems: [] };
  const version = {
    ...first,
    number: 1,
    origin: 'revised' as const,
    parents: [0],
    output: 'another {{input}}',
    proposal,
  };
  return played(
    appendResult(given, { type: 'version', version: { ...version, iteration: 1, step: given.step } }),
    settings,
    score,
  );
}

const stateOf = (history: History, settings: ExperimentSettings) => {
  const version = history.versions[1];
  if (version === undefined) throw new Error('there is no proposal');
  return candidateState(history, settings, version);
};
const triesOf = (history: History, version: number) => history.tries.filter((one) => one.version === version).length;

function noisy(seed: number, sigma: number, gain: number): Score {
  return (version, position, time) => {
    const lot = (part: string) => seededNumber(String(seed), String(version), String(position), String(time), part);
    const normal = Math.sqrt(-2 * Math.log(1 - lot('a'))) * Math.cos(2 * Math.PI * lot('b'));
    const mean = 0.3 + 0.3 * seededNumber('case', String(position)) + (version === 0 ? 0 : gain);
    return Math.min(1, Math.max(0, mean + sigma * normal));
  };
}

describe('where the same prompt scores the same on a case', () => {
  const same: Score = (version, position) => (version === 0 ? position % 2 : 0);

  test('the first prompt is tried twice on 8 cases, and a proposal is held against its parent on its own cases', () => {
    const settings = settingsOf();
    const history = proposed(settings, same);
    expect(measuredNoise(history, settings)).toEqual({ variance: 0, pairs: 8 });
    expect(triesOf(history, 0)).toBe(20 + 8 + 4);
    expect(stateOf(history, settings)).toBe('rejected');
    expect(triesOf(history, 1)).toBe(3);
  });

  test('nothing is tried twice if the settings allow one try of a case', () => {
    const settings = settingsOf({ maxRepeats: 1 });
    expect(triesOf(proposed(settings, same), 0)).toBe(20 + 4);
  });

  test('nothing is tried twice under the other rules', () => {
    expect(triesOf(proposed(settingsOf({ acceptance: 'strict' }), same), 0)).toBe(20 + 4);
  });
});

describe('where scores vary', () => {
  test('a large gain is accepted, and then validated on all cases', () => {
    const settings = settingsOf();
    const history = proposed(settings, noisy(1, 0.1, 0.3));
    expect(stateOf(history, settings)).toBe('candidate');
    expect(effectiveScores(history, 1).size).toBeGreaterThanOrEqual(validationPositions(history).length);
  });

  test('a loss is rejected after a few cases', () => {
    const settings = settingsOf();
    const history = proposed(settings, noisy(1, 0.1, -0.3));
    expect(stateOf(history, settings)).toBe('rejected');
    expect(triesOf(history, 1)).toBeLessThanOrEqual(8);
  });

  test('no case is tried more often than the settings allow, and what is open then is rejected', () => {
    const settings = settingsOf({ maxRepeats: 2 });
    for (let seed = 0; seed < 40; seed++) {
      const history = proposed(settings, noisy(seed, 0.4, 0.05));
      expect(stateOf(history, settings)).toMatch(/^(rejected|candidate)$/);
      for (const tries of Map.groupBy(history.tries, ({ version, position }) => `${version} ${position}`).values())
        expect(tries.length).toBeLessThanOrEqual(2);
    }
  });

  test('the score of a prompt is the mean of its tries on each case', () => {
    const settings = settingsOf();
    const history = proposed(settings, noisy(2, 0.2, 0));
    const scores = history.tries.filter(({ version, position }) => version === 0 && position === 5);
    const mean = scores.reduce((sum, { score }) => sum + (score ?? 0), 0) / scores.length;
    expect(effectiveScores(history, 0).get(5)?.score).toBeCloseTo(mean, 6);
    const evaluated = history.evaluations.findLast(({ version }) => version === 0)?.overallScore;
    const positions = validationPositions(history);
    const sum = positions.reduce((all, position) => all + (effectiveScores(history, 0).get(position)?.score ?? 0), 0);
    expect(evaluated).toBeCloseTo(sum / positions.length, 5);
  });

  test.each([0.1, 0.2])(
    'of 200 proposals at noise %d, hardly one without effect is accepted, and most gains are found',
    (sigma) => {
      const settings = settingsOf();
      const accepted = (gain: number) =>
        Array.from({ length: 200 }, (_trial, seed) =>
          stateOf(proposed(settings, noisy(seed, sigma, gain)), settings),
        ).filter((state) => state === 'candidate').length / 200;
      expect(accepted(0)).toBeLessThanOrEqual(0.05);
      expect(accepted(0.1)).toBeGreaterThanOrEqual(0.75);
    },
  );
});
