import { describe, expect, test } from 'vitest';
import { splitCases } from '#lib/experiments/split-cases.ts';
import { bestVersion } from '../best-version.ts';
import type { History } from '../history.ts';
import { nextStep } from '../next-step.ts';
import type { ExperimentSettings } from '../settings.ts';
import { findTriggeredStopRules } from '../stop-rules.ts';
import { tuningHistory } from '../tuning-history.test-support.ts';
import { lostAnchors } from './anchors.ts';
import { candidateState, candidates } from './candidate-state.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

const settings = tuningSettingsOf({ qualityThreshold: 1 });
const NOW = new Date('2026-01-05T12:00:00.000Z');

/** Two training cases and four validation cases, of which the last is an anchor. */
function scene(...given: Parameters<typeof tuningHistory>[2]): History {
  return sceneWith(settings, given);
}

function sceneWith(settings: ExperimentSettings, given: Parameters<typeof tuningHistory>[2]): History {
  const history = tuningHistory(settings, { train: 2, validation: 4 }, given);
  const cases = history.cases.map((one) => (one.position === 5 ? { ...one, tags: ['anchor'] } : one));
  return { ...history, cases };
}

const GIVEN = { scores: { 0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 1 }, evaluated: true };
const proposed = (scores: Record<number, number>, evaluated = false) => ({
  ...{ output: 'another {{input}}', parent: 0, minibatch: [0, 1], evaluated },
  scores: { 0: 1, 1: 1, ...scores },
});

test('scores a proposal on anchor cases first', () => {
  expect(nextStep(scene(GIVEN, proposed({})), settings, NOW)).toEqual({
    type: 'try',
    parts: [{ version: 1, positions: [5] }],
    purpose: 'validation',
  });
});

describe('proposal with a lower score on an anchor case', () => {
  test('is rejected immediately', () => {
    const history = scene(GIVEN, proposed({ 5: 0 }));
    const [, version] = history.versions;
    expect(version && candidateState(history, settings, version)).toBe('rejected');
    expect(nextStep(history, settings, NOW)).toEqual({ type: 'proceed', version: 1 });
  });

  test('is neither a candidate nor the best, regardless of its other scores', () => {
    const history = scene(GIVEN, proposed({ 2: 1, 3: 1, 4: 1, 5: 0.9 }, true));
    expect(candidates(history).map(({ number }) => number)).toEqual([0]);
    expect(bestVersion(history, 'highest_score')).toBe(0);
    expect(lostAnchors(history, 1)).toEqual([5]);
  });
});

test('a proposal with an equal score on an anchor case is a candidate', () => {
  const history = scene(GIVEN, proposed({ 2: 1, 3: 1, 4: 1, 5: 1 }, true));
  expect(bestVersion(history, 'highest_score')).toBe(1);
});

test("a reviewer's prompt that loses an anchor case is not the best either", () => {
  const edited = { output: 'by hand {{input}}', parent: 0, origin: 'edited' as const, evaluated: true };
  const history = scene(GIVEN, { ...edited, scores: { 2: 1, 3: 1, 4: 1, 5: 0 } });
  expect(bestVersion(history, 'highest_score')).toBe(0);
});

test('a prompt that loses an anchor case does not meet the threshold', () => {
  const edited = { output: 'by hand {{input}}', parent: 0, origin: 'edited' as const, evaluated: true };
  const lower = tuningSettingsOf({ qualityThreshold: 0.7 });
  const rules = (last: number) =>
    findTriggeredStopRules(sceneWith(lower, [GIVEN, { ...edited, scores: { 2: 1, 3: 1, 4: 1, 5: last } }]), lower);
  expect(rules(1)).toEqual(['quality_met']);
  expect(rules(0)).toEqual([]);
});

describe('anchor cases', () => {
  const caseOf = (...tags: string[]) => ({ input: 'x', reference: null, tags, metadata: {} });
  const splitsOf = (cases: ReturnType<typeof caseOf>[], validationShare: number) =>
    splitCases(cases, { ...settings.tune, validationShare, heldOutShare: 0 }).map(({ split }) => split);

  test('are validation cases', () => {
    expect(splitsOf([caseOf('anchor'), caseOf('train'), caseOf('train')], 0.4)[0]).toBe('validation');
  });

  test('are training cases if candidates are validated on the training cases', () => {
    expect(splitsOf([caseOf('anchor'), caseOf(), caseOf()], 0)).toEqual(['train', 'train', 'train']);
  });

  test('stay in the split of another tag', () => {
    expect(splitsOf([caseOf('anchor', 'train'), caseOf(), caseOf()], 0.4)[0]).toBe('train');
  });
});
