import { expect, test } from 'vitest';
import { estimateNextStep } from '#lib/core/estimate-next-step.ts';
import { bestVersion } from '../best-version.ts';
import { tuningHistory } from '../tuning-history.test-support.ts';
import { evaluateCandidate } from './perform-tuning-step.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

test.each([
  {
    name: 'the mean decides',
    threshold: 0.5,
    qualityThreshold: 0.6,
    scores: [1, 0.25],
    mean: 0.625,
    satisfactory: true,
  },
  {
    name: 'a criterion with a threshold',
    threshold: 0.7,
    qualityThreshold: 0.6,
    scores: [1, 0.25],
    mean: 0.625,
    satisfactory: false,
  },
  {
    name: 'below the quality threshold',
    threshold: 0,
    qualityThreshold: 0.7,
    scores: [1, 0.25],
    mean: 0.625,
    satisfactory: false,
  },
  {
    name: 'rounded to six decimals',
    threshold: 0,
    qualityThreshold: 0.333333,
    scores: [1, 0, 0],
    mean: 0.333333,
    satisfactory: true,
  },
])('$name', ({ threshold, qualityThreshold, scores, mean, satisfactory }) => {
  const settings = tuningSettingsOf({ criteria: [{ name: 'right', threshold, evaluator: 'llm' }], qualityThreshold });
  const given = { 0: 0, ...Object.fromEntries(scores.map((score, at) => [at + 1, score])) };
  const history = tuningHistory(settings, { train: 1, validation: scores.length }, [{ scores: given }]);
  expect(evaluateCandidate(history, settings, 0)).toMatchObject({
    status: 'scored',
    overallScore: mean,
    criteriaScores: { right: mean },
    satisfactory,
    tokenUsage: { total: 0 },
    detail: `Mean of ${scores.length} cases, ${scores.filter((score) => score >= 0.8).length} of them satisfactory.`,
  });
});

test('throws if a case has no score instead of counting zero', () => {
  const settings = tuningSettingsOf();
  const history = tuningHistory(settings, { train: 1, validation: 2 }, [{ scores: { 1: 1, 2: null } }]);
  expect(() => evaluateCandidate(history, settings, 0)).toThrow('not scored on case 2');
});

test('the best version is never a held-back one', () => {
  const settings = tuningSettingsOf();
  const history = tuningHistory(settings, { train: 1, validation: 1 }, [
    { scores: { 1: 0 }, evaluated: true },
    { minibatch: [0], scores: { 1: 1 }, problems: [{ kind: 'truncated', text: '' }], evaluated: true },
  ]);
  for (const rule of ['highest_score', 'latest', 'first_satisfactory', 'weighted_recency'] as const)
    expect(bestVersion(history, rule)).toBe(0);
});

test("estimates use the run's paid example scores and the calls of a step", () => {
  const settings = tuningSettingsOf();
  const history = tuningHistory(settings, { train: 2 }, [{ scores: { 0: 1, 1: 1 } }]);
  const spend = { tokenUsage: { input: 30, output: 10, total: 40 }, costUsd: 0.5, durationMs: 20 };
  const tries = history.tries.map((one, at) => (at === 0 ? { ...one, ...spend } : { ...one, paidBefore: true }));
  const step = { type: 'try' as const, parts: [{ version: 0, positions: [0] }], purpose: 'minibatch' as const };
  const paid = estimateNextStep(step, { ...history, tries }, settings);
  expect(paid).toEqual({ calls: 2, tokens: 40, costUsd: 0.5, durationMs: 20 });
  expect(estimateNextStep({ type: 'evaluate', version: 0 }, history, settings)).toMatchObject({ calls: 0, tokens: 0 });
  const propose = { type: 'propose' as const, proposals: [{ parent: 0, round: 0, positions: [0] }] };
  expect(estimateNextStep(propose, history, settings).calls).toBe(1);
  expect(estimateNextStep(propose, history, settings).tokens).toBeGreaterThan(256);
});

test('averages a case-specific criterion over the cases that have it, and reports their number', () => {
  const settings = tuningSettingsOf({
    criteria: [
      { name: 'right', threshold: 0.7, evaluator: 'llm' },
      { name: 'unused', threshold: 1, evaluator: 'llm' },
    ],
    qualityThreshold: 0.5,
  });
  const history = tuningHistory(settings, { train: 1, validation: 3 }, [{ scores: { 0: 0, 1: 1, 2: 0.8, 3: 0.4 } }]);
  const own: Record<number, Record<string, number>> = { 1: { right: 1 }, 2: { right: 0.8 }, 3: { own: 0.4 } };
  const tries = history.tries.map((one) => ({ ...one, criteriaScores: own[one.position] ?? one.criteriaScores }));
  expect(evaluateCandidate({ ...history, tries }, settings, 0)).toMatchObject({
    overallScore: 0.733333,
    criteriaScores: { right: 0.9, own: 0.4 },
    satisfactory: true,
    detail: expect.stringContaining('right: mean of 2 of 3 cases.\nown: mean of 1 of 3 cases.'),
  });
});
