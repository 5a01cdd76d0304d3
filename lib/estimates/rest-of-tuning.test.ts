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
    // Scored without a model, so that a try is one call.
    criteria: [{ name: 'right', evaluator: 'reference', config: { match: 'exact' } }],
    ...changes,
  });
const cases = { train: 10, validation: 8, held_out: 6 };
/** The original prompt on 8 cases, then two proposals of 12 calls each; a call costs $0.01. */
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

describe('what the rest of a tuning run takes', () => {
  test('expected: proposals that are left as expensive as those so far, then two prompts on the held-out cases', () => {
    const rest = restOfTuning(tuneSettings(), soFar);
    expect(rest.expected).toEqual({ calls: 3 * 12 + 2 * 6, costUsd: expect.closeTo(0.48, 6) });
    expect(rest.most.calls).toBe(callsOfTuning(tuneSettings(), cases).highest - 32);
    expect(rest.most.calls).toBeGreaterThanOrEqual(rest.expected?.calls ?? Number.NaN);
  });

  test('tries of the final test are neither counted as proposals nor expected again', () => {
    const rest = restOfTuning(tuneSettings(), {
      ...{ ...soFar, iterations: 5, calls: 8 + 5 * 12 + 4 },
      ...{ heldOutTries: 4, baselineTries: 8 + 4 },
    });
    expect(rest.expected?.calls).toBe(8);
  });

  test('tries that were saved responses made no calls', () => {
    const rest = restOfTuning(tuneSettings(), {
      ...{ ...soFar, iterations: 5, calls: 2 + 5 * 12 + 3 },
      ...{ heldOutTries: 12, baselineTries: 2 + 3 },
    });
    expect(rest.expected?.calls).toBe(0);
    const saved = restOfTuning(tuneSettings(), { ...soFar, calls: 24, baselineTries: 0 });
    expect(saved.expected?.calls).toBe(3 * 12 + 2 * 6);
  });

  test('calls per try of an agent are estimated from its past tries, and baseline tries do not count as proposals', () => {
    const settings = tuneSettings({
      generator: { provider: 'p', model: 'm', base: { type: 'react', tools: ['calculator'], maxSteps: 8 } },
    });
    // 60 tries of 4 turns, one proposal, and 10 tries of the proposal.
    const used = { iterations: 1, calls: 60 * 4 + 1 + 10 * 4, baselineTries: 60, paidTries: 70 };
    const rest = restOfTuning(settings, { ...soFar, ...used });
    expect(rest.expected?.calls).toBe(4 * 41 + 2 * 6 * 4);
  });

  test('before the first proposal, there is no expectation and no cost', () => {
    const rest = restOfTuning(tuneSettings(), { ...soFar, iterations: 0, calls: 0, costUsd: 0, baselineTries: 0 });
    expect(rest).toEqual({
      expected: null,
      most: { calls: callsOfTuning(tuneSettings(), cases).highest, costUsd: null },
    });
  });

  test('without a price there are calls only', () => {
    expect(restOfTuning(tuneSettings(), { ...soFar, unpriced: true })).toMatchObject({
      expected: { calls: 48, costUsd: null },
      most: { costUsd: null },
    });
  });

  test('no more than the budgets leave', () => {
    const byCalls = restOfTuning(tuneSettings({ budget: { maxCalls: 40 } }), soFar);
    expect([byCalls.expected?.calls, byCalls.most.calls]).toEqual([8, 8]);
    const byCost = restOfTuning(tuneSettings({ budget: { maxCostUsd: 0.4 } }), soFar);
    expect(byCost.expected?.costUsd).toBeCloseTo(0.08, 6);
    expect(byCost.most.costUsd).toBeCloseTo(0.08, 6);
  });
});
