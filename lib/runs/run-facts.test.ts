import { expect, test } from 'vitest';
import { runLimitsSchema } from '#lib/core/budget-settings.ts';
import { settingsOf } from '#lib/core/history-of.test-support.ts';
import { runLimitsOf } from './run-facts.ts';

test.each([
  { mode: 'tune', prompts: { generate: '{{input}}' }, maxIterations: 0 },
  { mode: 'tune', prompts: { generate: '{{input}}' }, maxIterations: 50, tune: { maxTries: 1_000_000 } },
  { mode: 'revise', budget: { maxCalls: 1, maxTokens: 1, maxCostUsd: 0.000001, maxSeconds: 1 } },
] as const)('stores and parses the limits of %o', (changes) => {
  const limits = runLimitsOf(settingsOf(changes));
  expect(runLimitsSchema.parse(limits)).toEqual(limits);
});
