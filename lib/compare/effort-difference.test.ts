import { describe, expect, test } from 'vitest';
import { settingsSchema } from '#lib/core/settings.ts';
import { type ArmEffort, effortDifference } from './schema.ts';

const NO_BUDGET = settingsSchema.parse({
  mode: 'retry',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'right', evaluator: 'llm' }],
}).budget;

function arm(change: Partial<ArmEffort['settings']> = {}, spent: Partial<ArmEffort> = {}): ArmEffort {
  return {
    settings: { mode: 'retry', maxAttempts: 4, maxIterations: 3, budget: NO_BUDGET, ...change },
    costPerRun: 0.01,
    tokensPerRun: 1000,
    ...spent,
  };
}

describe('effortDifference', () => {
  test('computes the maximum versions from attempts, or from revisions plus the first', () => {
    const { arms } = effortDifference([arm(), arm({ mode: 'revise' }), arm({ mode: 'revise', maxIterations: 0 })], 0);
    expect(arms.map(({ mostVersions }) => mostVersions)).toEqual([4, 4, 1]);
  });

  test.each([
    ['the same', arm(), false, false],
    ['four attempts versus three revisions and a first version', arm({ mode: 'revise' }), false, false],
    ['one attempt more', arm({ maxAttempts: 5 }), true, false],
    ['another budget', arm({ budget: { ...NO_BUDGET, maxTokens: 500 } }), true, false],
    ['slightly higher spend', arm({}, { costPerRun: 0.0124 }), false, false],
    ['noticeably higher spend', arm({}, { costPerRun: 0.0125 }), false, true],
    ['noticeably lower spend', arm({}, { costPerRun: 0.008 }), false, true],
  ])('detects other limits or spend: %s', (_name, other, hasOtherLimits, hasOtherSpend) => {
    expect(effortDifference([arm(), other], 0)).toMatchObject({ hasOtherLimits, hasOtherSpend });
    expect(effortDifference([other, arm()], 1)).toMatchObject({ hasOtherLimits, hasOtherSpend });
  });

  test.each([
    ['dollars if both have a price', 0.01, 0.03, 'cost', 3],
    ['tokens if one has no price', 0.01, null, 'tokens', 2],
    ['tokens if the baseline was free', 0, 0, 'tokens', 2],
  ] as const)('compares spend in %s', (_name, before, after, spentIn, spent) => {
    const base = arm({}, { costPerRun: before });
    const { arms } = effortDifference([base, arm({}, { costPerRun: after, tokensPerRun: 2000 })], 0);
    expect(arms[1]?.spentIn).toBe(spentIn);
    expect(arms[1]?.spent).toBeCloseTo(spent);
  });

  test.each([
    ['runs', null],
    ['known tokens', 0],
  ])('leaves spend empty for an arm without %s', (_name, tokensPerRun) => {
    const { arms, hasOtherSpend } = effortDifference([arm(), arm({}, { costPerRun: null, tokensPerRun })], 0);
    expect([arms[1]?.spent, arms[1]?.spentIn, hasOtherSpend]).toEqual([null, null, false]);
  });
});
