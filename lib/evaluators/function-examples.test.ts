import { describe, expect, test } from 'vitest';
import { askScript, evaluateWith, settingsWith } from '#lib/core/ask.test-support.ts';
import { FUNCTION_EXAMPLES } from '#lib/core/criteria/function.ts';
import { functionProblem } from './function.ts';

async function scoreOf(name: string, output: string, reference: string | null = null, metadata = {}) {
  const code = FUNCTION_EXAMPLES.find((example) => example.name === name)?.code ?? '';
  const outcome = await evaluateWith({
    settings: settingsWith([{ name: 'own', evaluator: 'function', config: { code } }]),
    case: { input: 'any', reference, tags: [], metadata },
    output,
    ask: askScript([]).ask,
  });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.evaluation.criteriaScores.own;
}

describe('example functions', () => {
  test.each(FUNCTION_EXAMPLES)('$name is valid unchanged', async ({ code }) => {
    expect(await functionProblem(code)).toBeNull();
  });

  test.each<[string, string, string | null, Record<string, unknown>, number]>([
    ['length', 'few words', null, {}, 1],
    ['length', 'word '.repeat(101), null, {}, 0],
    ['terms', 'The limit is 5.', null, {}, 0.5],
    ['terms', 'Say Hello', null, { terms: ['hello'] }, 1],
    ['closeness to the reference', 'It is 9, or rather 9.', '10', {}, 0.9],
    ['closeness to the reference', 'no number', '10', {}, 0],
  ])('%s scores %j against %j', async (name, output, reference, metadata, score) => {
    expect(await scoreOf(name, output, reference, metadata)).toBeCloseTo(score, 9);
  });
});
