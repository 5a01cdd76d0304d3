import { expect, test } from 'vitest';
import { settingsOf } from '#lib/core/history-of.test-support.ts';
import { isSelfJudged } from './run-facts.ts';

const own = { provider: 'practice', model: 'practice-1' };
test.each([
  { name: 'no separate judge', settings: { evaluatorModel: null }, is: true },
  { name: 'the same model configured explicitly', settings: { evaluatorModel: own }, is: true },
  { name: 'another model', settings: { evaluatorModel: { ...own, model: 'practice-2' } }, is: false },
  {
    name: 'a model with the same name at another provider',
    settings: { evaluatorModel: { ...own, provider: 'other' } },
    is: false,
  },
  {
    name: 'no criterion with a judge',
    settings: { criteria: [{ name: 'a', evaluator: 'regex' as const, config: { pattern: 'x', mustMatch: true } }] },
    is: false,
  },
])('$name: $is', ({ settings, is }) => {
  expect(isSelfJudged(settingsOf(settings))).toBe(is);
});
