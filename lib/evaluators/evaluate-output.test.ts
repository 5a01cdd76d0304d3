import { expect, test } from 'vitest';
import { askScript, evaluateWith, settingsWith } from '#lib/core/ask.test-support.ts';

const TASK = { input: 'Say hello.', reference: 'Hello', tags: [], metadata: {} };
const judge = JSON.stringify({
  criteria: [{ name: 'tone', score: 0.5, reason: 'flat', issues: ['flat'], suggestions: [] }],
  confidence: 0.7,
});
const MIXED = [
  { name: 'tone', evaluator: 'llm', weight: 2 },
  { name: 'short', evaluator: 'regex', config: { pattern: '^.{0,20}$' } },
  { name: 'right', evaluator: 'reference', config: { match: 'exact' }, weight: 1 },
] as const;

test('merges the results of all kinds by weight, in the order of the criteria', async () => {
  const script = askScript([judge]);
  const outcome = await evaluateWith({
    settings: settingsWith([...MIXED]),
    case: TASK,
    output: 'hello',
    ask: script.ask,
  });
  expect(outcome).toEqual({
    ok: true,
    evaluation: {
      status: 'scored',
      overallScore: 0.75,
      criteriaScores: { tone: 0.5, short: 1, right: 1 },
      reasons: { tone: 'flat', short: expect.stringContaining('Holds'), right: expect.stringContaining('Correct') },
      satisfactory: false,
      issues: [{ criterion: 'tone', text: 'flat' }],
      suggestions: [],
      confidence: 0.7,
      feedback: 'tone: flat\nshort: met\ncorrect',
      detail: expect.stringMatching(/^tone: flat\nshort: .*\nright: Expected "Hello", got "hello"\.$/),
      answer: 'hello',
      tokenUsage: { input: 10, output: 5, total: 15 },
      costUsd: 0.01,
      durationMs: 100,
    },
  });
});

test('handles criteria named like properties of Object.prototype', async () => {
  const settings = settingsWith([
    { name: '__proto__', evaluator: 'regex', config: { pattern: 'x' } },
    { name: 'constructor', evaluator: 'regex', config: { pattern: 'h' } },
  ]);
  const outcome = await evaluateWith({ settings, case: TASK, output: 'hello', ask: askScript([]).ask });
  expect(outcome).toMatchObject({ ok: true, evaluation: { overallScore: 0.5, status: 'scored' } });
  if (outcome.ok) expect(Object.keys(outcome.evaluation.criteriaScores)).toEqual(['__proto__', 'constructor']);
});

test('one unscored criterion makes the evaluation partial and keeps the other scores', async () => {
  const outcome = await evaluateWith({
    settings: settingsWith([...MIXED]),
    case: { ...TASK, reference: null },
    output: 'hello',
    ask: askScript([judge]).ask,
  });
  expect(outcome).toMatchObject({
    ok: true,
    evaluation: {
      status: 'partial',
      overallScore: null,
      satisfactory: false,
      criteriaScores: { tone: 0.5, short: 1, right: null },
    },
  });
});

test('calls no model if no criterion needs one', async () => {
  const script = askScript([]);
  const outcome = await evaluateWith({
    settings: settingsWith([MIXED[1], MIXED[2]]),
    case: TASK,
    output: 'hello',
    ask: script.ask,
  });
  expect(outcome).toMatchObject({ ok: true, evaluation: { satisfactory: true, costUsd: 0 } });
  expect(script.asked).toHaveLength(0);
});
