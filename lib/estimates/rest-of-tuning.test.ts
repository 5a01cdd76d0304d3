import { describe, expect, test } from 'vitest';
import { settingsOf } from '#lib/core/history-of.test-support.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { callsOfTuning } from './calls-of-run.ts';
import { restOfTuning, type TuningSoFar } from './rest-of-tuning.ts';

const tuneSettings = (changes: Partial<ExperimentSettingsInput> = {}) =>
  settingsOf({
    mode: 'tune',
    prompts: { generate: '{{input}}' },
    maxIterations: 5,
    // Scored without a model, so each try is one call.
    criteria: [{ name: 'right', evaluator: 'reference', config: { match: 'exact' } }],
    ...changes,
  });
const cases = { train: 10, validation: 8, held_out: 6 };
/** The original prompt on 8 cases, then two proposals of 12 calls each, at $0.01 per call. */
const soFar: TuningSoFar = {
  ...{
    cases,
    iterations: 2,
    calls: 32,
    costUsd: 0.32,
    unpriced: false,
    heldOutTries: 0,
    baselineTries: 8,
    paidTries: 30,
  },
};

describe('restOfTuning', () => {
  test('expects remaining proposals to cost the same as earlier ones, plus two prompts on the held-out cases', () => {
    const rest = restOfTuning(tuneSettings(), soFar);
    expect(rest.expected).toEqual({ calls: 3 * 12 + 2 * 6, costUsd: expect.closeTo(0.48, 6) });
    expect(rest.most.calls).toBe(callsOfTuning(tuneSettings(), cases).highest - 32);
    expect(rest.most.calls).toBeGreaterThanOrEqual(rest.expected?.calls ?? Number.NaN);
  });

  test('does not count final-test tries as proposals or expect them again', () => {
    const rest = restOfTuning(tuneSettings(), {
      ...{ ...soFar, iterations: 5, calls: 8 + 5 * 12 + 4 },
      ...{ heldOutTries: 4, baselineTries: 8 + 4 },
    });
    expect(rest.expected?.calls).toBe(8);
  });

  test('counts no calls for tries that reused saved responses', () => {
    const rest = restOfTuning(tuneSettings(), {
      ...{ ...soFar, iterations: 5, calls: 2 + 5 * 12 + 3 },
      ...{ heldOutTries: 12, baselineTries: 2 + 3 },
    });
    expect(rest.expected?.calls).toBe(0);
    const saved = restOfTuning(tuneSettings(), { ...soFar, calls: 24, baselineTries: 0 });
    expect(saved.expected?.calls).toBe(3 * 12 + 2 * 6);
  });

  test('estimates calls per try of an agent from its past tries, excluding baseline tries from proposals', () => {
    const settings = tuneSettings({
      generator: { provider: 'p', model: 'm', base: { type: 'react', tools: ['calculator'], maxSteps: 8 } },
    });
    // 60 tries of 4 turns, one proposal call, and 10 tries of the proposal.
    const used = { iterations: 1, calls: 60 * 4 + 1 + 10 * 4, baselineTries: 60, paidTries: 70 };
    const rest = restOfTuning(settings, { ...soFar, ...used });
    expect(rest.expected?.calls).toBe(4 * 41 + 2 * 6 * 4);
  });

  test('returns no expectation and no cost before the first proposal', () => {
    const rest = restOfTuning(tuneSettings(), { ...soFar, iterations: 0, calls: 0, costUsd: 0, baselineTries: 0 });
    expect(rest).toEqual({
      expected: null,
      most: { calls: callsOfTuning(tuneSettings(), cases).highest, costUsd: null },
    });
  });

  test('returns only calls if there is no price', () => {
    expect(restOfTuning(tuneSettings(), { ...soFar, unpriced: true })).toMatchObject({
      expected: { calls: 48, costUsd: null },
      most: { costUsd: null },
    });
  });

  test('never exceeds the remaining budgets', () => {
    const byCalls = restOfTuning(tuneSettings({ budget: { maxCalls: 40 } }), soFar);
    expect([byCalls.expected?.calls, byCalls.most.calls]).toEqual([8, 8]);
    const byCost = restOfTuning(tuneSettings({ budget: { maxCostUsd: 0.4 } }), soFar);
    expect(byCost.expected?.costUsd).toBeCloseTo(0.08, 6);
    expect(byCost.most.costUsd).toBeCloseTo(0.08, 6);
  });
});
