import { describe, expect, test } from 'vitest';
import { NOTHING_EARLIER } from '#lib/core/earlier-outputs.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { evaluateOutput } from '#lib/evaluators/evaluate-output.ts';
import { NO_SERVICES } from '#lib/evaluators/evaluator.ts';
import { type AssertionContext, criterionOfAssertion } from './promptfoo-assertion.ts';
import type { PromptfooAssertion } from './promptfoo-config.ts';

const PLAIN: AssertionContext = { inputVariable: 'q', transform: null };

/** Returns the score that the criterion of an assertion gives to an output. */
async function scored(assertion: PromptfooAssertion, output: string, context = PLAIN): Promise<number | null> {
  const made = criterionOfAssertion(assertion, context);
  if (typeof made === 'string') throw new Error(made);
  const { reference = null, ...criterion } = made;
  const settings = settingsSchema.parse({
    mode: 'revise',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria: [{ name: 'it', ...criterion }],
  });
  const never = async () => {
    throw new Error('asked a model');
  };
  const outcome = await evaluateOutput({
    ...{ settings, output, earlier: NOTHING_EARLIER, ask: never, embed: never, ...NO_SERVICES },
    case: { input: 'the question', reference, tags: [], metadata: { topic: 'tea' } },
  });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.evaluation.criteriaScores.it ?? null;
}

describe('an assertion scores as promptfoo does', () => {
  test.each<[PromptfooAssertion, string, string]>([
    [{ type: 'equals', value: 'a.b' }, ' a.b\n', 'axb'],
    [{ type: 'not-equals', value: 'a' }, 'b', 'a'],
    [{ type: 'equals', value: { b: 1, a: [2] } }, '{"a":[2],"b":1}', '{"a":[2]}'],
    [{ type: 'contains', value: '1+1' }, 'so 1+1', '11'],
    [{ type: 'icontains', value: 'Tea' }, 'TEA', 'coffee'],
    [{ type: 'not-icontains', value: 'tea' }, 'coffee', 'TEA'],
    [{ type: 'contains-any', value: ['a?', 'b'] }, 'xb', 'a'],
    [{ type: 'contains-any', value: 'tea, milk' }, 'milk', 'none'],
    [{ type: 'contains-any', value: '"tea, milk", water' }, 'with tea, milk', 'tea or milk'],
    [{ type: 'contains-all', value: '"a ""b"", c",d "e"' }, 'a "b", c d "e"', 'a b c d e'],
    [{ type: 'contains-all', value: ['tea', 'milk'] }, 'milk and tea', 'tea'],
    [{ type: 'icontains-all', value: 'Tea,Milk' }, 'MILK tea', 'tea'],
    [{ type: 'not-contains-all', value: ['tea', 'milk'] }, 'tea', 'tea milk'],
    [{ type: 'starts-with', value: '(a)' }, '(a) b', 'b (a)'],
    [{ type: 'not-starts-with', value: 'a' }, 'ba', 'ab'],
    [{ type: 'regex', value: '^\\d+$' }, '42', '4 2'],
    [{ type: 'is-json' }, '{"a":1}', 'no'],
    [{ type: 'is-json', value: { type: 'object', required: ['a'] } }, '{"a":1}', '{"b":1}'],
    [{ type: 'not-is-json' }, 'no', '{"a":1}'],
    [{ type: 'contains-json' }, 'so: {"a":{"b":1}} ends', 'so: {a}'],
    [{ type: 'not-contains-json' }, 'so: {a}', 'see [1, 2]'],
    [{ type: 'javascript', value: 'output.length > 3' }, 'long', 'abc'],
    [
      { type: 'javascript', value: 'output.includes(context.vars.topic) && context.vars.q === "the question"' },
      'tea',
      'x',
    ],
    [
      {
        type: 'javascript',
        value: 'const n = output.length;\nif (n > 3) return { pass: true, score: 1 };\nreturn false;',
      },
      'long',
      'x',
    ],
    [{ type: 'javascript', value: '{ pass: output === "a", score: 1, reason: "r" }' }, 'a', 'b'],
    [{ type: 'javascript', value: 'output.category === "bill"' }, '{"category":"bill"}', '{}'],
    [{ type: 'javascript', value: 'JSON.parse(output).a === 1;' }, '{"a":1}', '{"a":2}'],
    [{ type: 'not-javascript', value: 'output.length > 3' }, 'abc', 'long'],
  ])('%j', async (assertion, good, bad) => {
    expect(await scored(assertion, good)).toBe(1);
    expect(await scored(assertion, bad)).toBe(0);
  });

  test('keeps a score between 0 and 1 and clamps others', async () => {
    expect(await scored({ type: 'javascript', value: 'output.length / 10' }, 'four')).toBe(0.4);
    expect(await scored({ type: 'javascript', value: 'output.length' }, 'four')).toBe(1);
  });

  test('applies to the transformed output', async () => {
    const context = { ...PLAIN, transform: 'JSON.parse(output).answer' };
    expect(await scored({ type: 'equals', value: 'Yes' }, '{"answer":"Yes"}', context)).toBe(1);
    expect(await scored({ type: 'not-icontains', value: 'yes' }, '{"answer":"Yes"}', context)).toBe(0);
    expect(await scored({ type: 'javascript', value: 'output.length === 3' }, '{"answer":"Yes"}', context)).toBe(1);
    const member = { ...PLAIN, transform: 'output.answer' };
    expect(await scored({ type: 'contains', value: 'es' }, '{"answer":"Yes"}', member)).toBe(1);
  });
});

test.each<[PromptfooAssertion, object]>([
  [
    { type: 'llm-rubric', value: 'is kind' },
    { evaluator: 'llm', config: { rubric: 'is kind' } },
  ],
  [
    { type: 'model-graded-closedqa', value: 'names it' },
    { evaluator: 'llm', config: { rubric: 'names it' } },
  ],
  [{ type: 'g-eval', value: ['a', 'b'] }, { config: { rubric: 'a\nb' } }],
  [
    { type: 'not-llm-rubric', value: 'is rude' },
    { config: { rubric: expect.stringContaining('Score 1 where this does not') } },
  ],
  [
    { type: 'factuality', value: 'Paris' },
    { reference: 'Paris', config: { rubric: expect.stringContaining('{{reference}}') } },
  ],
])('%j is judged by a model', (assertion, made) => {
  expect(criterionOfAssertion(assertion, PLAIN)).toMatchObject(made);
});

test.each<[PromptfooAssertion, RegExp]>([
  [{ type: 'python', value: 'len(output) > 3' }, /not JavaScript/],
  [{ type: 'javascript', value: 'file://check.js' }, /is a file/],
  [{ type: 'javascript', value: 'return await grade(output)' }, /uses await/],
  [{ type: 'javascript', value: 'require("fs").readFileSync("/etc/passwd")' }, /uses require/],
  [{ type: 'javascript', value: 'context.prompt.length > 3' }, /uses context.prompt/],
  [{ type: 'similar', value: 'x' }, /embedding model/],
  [{ type: 'contains-json', value: { type: 'object' } }, /is-json/],
  [{ type: 'contains' }, /no text/],
  [{ type: 'something-new', value: 'x' }, /no criterion of this kind/],
])('%j is not translated, and the reason is returned', (assertion, why) => {
  expect(criterionOfAssertion(assertion, PLAIN)).toMatch(why);
});

test('reads JavaScript with an open quote before many escapes at once', () => {
  const value = `// don't match ${'\\d'.repeat(26)}`;
  const startedAt = performance.now();
  expect(criterionOfAssertion({ type: 'javascript', value }, PLAIN)).toMatchObject({ evaluator: 'function' });
  expect(performance.now() - startedAt).toBeLessThan(500);
});
