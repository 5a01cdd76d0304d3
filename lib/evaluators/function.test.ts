import { describe, expect, test } from 'vitest';
import { askScript, evaluateWith, settingsWith } from '#lib/core/ask.test-support.ts';
import { functionProblem } from './function.ts';

async function evaluate(
  code: string,
  reference: string | null = 'Zanzibar',
  output = 'Pemba',
  mayQuoteReference = false,
) {
  const outcome = await evaluateWith({
    settings: settingsWith([{ name: 'own', evaluator: 'function', config: { code }, description: 'names the island' }]),
    case: { input: 'Which island?', reference, tags: [], metadata: { most: 5 } },
    output,
    mayQuoteReference,
    ask: askScript([]).ask,
  });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const { criteriaScores, reasons, issues, suggestions, feedback, detail } = outcome.evaluation;
  return {
    score: criteriaScores.own,
    reason: reasons.own,
    issues: issues.map(({ text }) => text),
    suggestions,
    feedback,
    detail,
  };
}

describe('return values of a function', () => {
  test.each<[string, string, Partial<Awaited<ReturnType<typeof evaluate>>>]>([
    ['true', 'true', { score: 1, issues: [], feedback: 'own: met' }],
    ['false', 'false', { score: 0, issues: ['Not met: names the island'], feedback: 'own: 0 of 1' }],
    ['a score', '0.4', { score: 0.4, issues: ['Not met: names the island'], feedback: 'own: 0.4 of 1' }],
    ['a score that passes', '0.8', { score: 0.8, issues: [], feedback: 'own: met' }],
    ['passed', "[true, 'fine']", { score: 1, issues: [], feedback: 'own: fine' }],
    ['not passed', "[false, 'too short']", { score: 0, issues: ['too short'], feedback: 'own: too short' }],
    ['passed without a message', '[true]', { score: 1, feedback: 'own: met' }],
    ['a score and a message', "[0.5, 'half']", { score: 0.5, issues: ['half'], feedback: 'own: half' }],
    [
      'an object',
      "({ score: 0.25, message: 'weak', issues: ['no date', '', 'no name'], suggestions: ['add a date'] })",
      { score: 0.25, issues: ['no date', 'no name'], suggestions: ['add a date'], feedback: 'own: weak' },
    ],
    [
      'an object with the reason field of a webhook',
      "({ score: 0.25, reason: 'weak' })",
      { score: 0.25, feedback: 'own: weak' },
    ],
    ['an object with only a score', '({ score: true })', { score: 1, issues: [] }],
    ['an object with null values', '({ score: 0, issues: null, suggestions: null, message: null })', { score: 0 }],
  ])('%s', async (_name, value, expected) => {
    expect(await evaluate(`const evaluate = () => ${value}`)).toMatchObject(expected);
  });

  test('receives only output, input, reference and metadata', async () => {
    const { detail } = await evaluate('const evaluate = (given) => [true, JSON.stringify(given)]');
    expect(detail).toContain('{"output":"Pemba","input":"Which island?","reference":"Zanzibar","metadata":{"most":5}}');
  });
});

describe('unscored results with a reason', () => {
  test.each([
    ['no value', 'undefined', 'Not scored. It returned nothing.'],
    ['null', 'null', 'It returned null. Return a score from 0 to 1'],
    ['a score above 1', '1.5', 'It returned 1.5. Return a score from 0 to 1'],
    ['a score below 0', '-0.1', 'It returned -0.1.'],
    ['not a number', 'NaN', 'It returned NaN.'],
    ['an infinite number', '[Infinity, "x"]', 'It returned [Infinity,"x"].'],
    ['a text', '"0.8"', 'It returned "0.8".'],
    ['an empty list', '[]', 'It returned [].'],
    ['a list that is too long', '[true, "a", "b"]', 'It returned [true,"a","b"].'],
    ['an object without a score', '({ issues: [] })', 'It returned {"issues":[]}.'],
    ['issues that are not text', '({ score: 1, issues: [1] })', 'Return a score'],
    ['too many issues', '({ score: 1, issues: Array(51).fill("x") })', 'with at most 50 issues and suggestions each'],
    ['10 MB', '"x".repeat(1e7)', 'Not scored. The function returned more than 100,000 characters.'],
    [
      'an error',
      '(() => { throw new RangeError("odd") })()',
      'Not scored. The function failed. RangeError: odd (line 1)',
    ],
  ])('%s', async (_name, value, reason) => {
    const result = await evaluate(`const evaluate = () => ${value}`);
    expect(result).toMatchObject({ score: null, issues: [], suggestions: [], feedback: '' });
    expect(result.reason).toContain(reason);
    expect(result.detail).toBe(result.reason);
  });

  test('an endless loop', async () => {
    expect(await evaluate('const evaluate = () => { for (;;); }')).toMatchObject({
      score: null,
      reason: 'Not scored. The function was stopped: it took more than 1 s.',
    });
  });
});

describe('text that quotes the reference is shown only to people', () => {
  test('redacts messages, issues and suggestions', async () => {
    const result = await evaluate(
      "const evaluate = ({ reference: r }) => ({ score: 0.5, message: 'not ' + r, issues: ['no ' + r, 'too short'], suggestions: ['say ' + r, 'say more'] })",
    );
    const { detail, ...rest } = result;
    expect(rest).toEqual({
      score: 0.5,
      reason: 'The function gave 0.5.',
      issues: ['too short'],
      suggestions: ['say more'],
      feedback: 'own: 0.5 of 1',
    });
    expect(detail).toBe(
      'The function gave 0.5: not Zanzibar\n- no Zanzibar\n- too short\n→ say Zanzibar\n→ say more\n3 of these texts quote the reference, so models do not see them.',
    );
  });

  test('includes quoted text if the request allows it', async () => {
    const message =
      "({ score: 0, message: 'not Zanzibar', issues: ['Zanzibar is missing'], suggestions: ['Say Zanzibar'] })";
    expect(await evaluate(`const evaluate = () => ${message}`, 'Zanzibar', 'Pemba', true)).toMatchObject({
      issues: ['Zanzibar is missing'],
      suggestions: ['Say Zanzibar'],
      feedback: 'own: not Zanzibar',
      detail: expect.not.stringContaining('models do not see'),
    });
  });

  test('redacts an error message', async () => {
    expect(
      await evaluate('const evaluate = ({ reference }) => { throw new Error("want " + reference) }'),
    ).toMatchObject({
      score: null,
      reason: 'Not scored: the function failed.',
      detail: 'Not scored. The function failed. Error: want Zanzibar (line 1)',
    });
  });

  test('redacts an invalid return value', async () => {
    expect(await evaluate('const evaluate = ({ reference }) => reference')).toMatchObject({
      reason: 'Not scored: the function failed.',
      detail: expect.stringContaining('Zanzibar'),
    });
  });
});

test.each([
  ['a valid function', 'function evaluate() { return 1 }', null],
  ['a syntax error', 'function evaluate() {\n  return )\n}', /^has a mistake in line 2: SyntaxError/],
  ['no function', '1', /^must define a function named evaluate/],
  ['an error on load', 'nothing()', /^fails outside of its function: ReferenceError/],
  ['an endless loop on load', 'for (;;);', /^does not finish/],
])('validates a function in the settings: %s', async (_name, code, problem) => {
  const found = await functionProblem(code);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toMatch(problem);
});

test.each([
  ['the messages of a conversation', [{ role: 'user' as const, content: 'Hi' }], 1],
  ['no messages of a text', undefined, 0],
])('a function receives %s', async (_name, messages, score) => {
  const code = "function evaluate({ messages }) { return messages?.[0].content === 'Hi'; }";
  const outcome = await evaluateWith({
    settings: settingsWith([{ name: 'own', evaluator: 'function', config: { code } }]),
    case: { input: 'Hi', ...(messages && { messages }), reference: null, tags: [], metadata: {} },
    output: 'Said.',
    ask: askScript([]).ask,
  });
  expect(outcome).toMatchObject({ ok: true, evaluation: { criteriaScores: { own: score } } });
});
