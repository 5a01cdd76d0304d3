import { describe, expect, test } from 'vitest';
import { askScript, evaluateWith, settingsWith } from '#lib/core/ask.test-support.ts';
import { candidateCode } from '#lib/evaluators/python/open-python.ts';
import type { PythonReport, PythonRequest, PythonTest } from '#lib/evaluators/python/python-report.ts';

function tested(
  tests: Partial<PythonTest>[],
  more: Partial<Extract<PythonReport, { type: 'tested' }>> = {},
): PythonReport {
  const all = tests.map((one, at) => ({
    name: `test_${at}`,
    isHidden: false,
    outcome: 'passed' as const,
    message: '',
    ...one,
  }));
  return { type: 'tested', tests: all, problem: null, hiddenProblem: null, durationMs: 12, ...more };
}

async function evaluate(report: PythonReport, tests = 'def test_x(): pass', metadata: Record<string, unknown> = {}) {
  const asked: PythonRequest[] = [];
  const outcome = await evaluateWith({
    settings: settingsWith([{ name: 'tests', evaluator: 'python_tests', config: { tests } }]),
    case: { input: 'Add.', reference: null, tags: [], metadata },
    output: '```python\ndef add(a, b): return a\n```',
    ask: askScript([]).ask,
    python: async (request) => {
      asked.push(request);
      return report;
    },
  });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const { criteriaScores, reasons, issues, feedback, detail } = outcome.evaluation;
  return {
    score: criteriaScores.tests,
    reason: reasons.tests,
    issues: issues.map(({ text }) => text),
    feedback,
    detail,
    asked,
  };
}

describe('results of a test report', () => {
  test('scores 1 if all tests passed', async () => {
    expect(await evaluate(tested([{}, {}]))).toMatchObject({
      score: 1,
      issues: [],
      feedback: 'tests: 2 of 2 visible tests passed',
    });
  });

  test('reports a failed visible test to models, but not a failed hidden one', async () => {
    const result = await evaluate(
      tested([
        { outcome: 'failed', message: '1 != 2' },
        {},
        { name: 'test_hidden_q', isHidden: true, outcome: 'failed', message: 'secret' },
        { outcome: 'skipped' },
      ]),
    );
    expect(result).toMatchObject({
      score: 1 / 3,
      issues: ['test_0: 1 != 2'],
      feedback: 'tests: 1 of 2 visible tests passed. Some hidden tests failed\n- test_0: 1 != 2',
    });
    expect(result.detail).toContain('failed (hidden) test_hidden_q: secret');
  });

  test('reports failures of hidden tests only', async () => {
    const result = await evaluate(
      tested([{}, { name: 'test_hidden_q', isHidden: true, outcome: 'failed', message: 'secret' }], {
        hiddenProblem: 'worse',
      }),
    );
    expect(result).toMatchObject({ score: 0.5, issues: ['Tests that are not shown fail'] });
    expect(JSON.stringify([result.reason, result.issues, result.feedback])).not.toMatch(/secret|hidden_q|worse/);
    expect(result.detail).toContain('worse');
  });

  test('scores 0 for code that cannot run', async () => {
    expect(await evaluate(tested([{ outcome: 'not_run' }], { problem: 'SyntaxError: no (line 1)' }))).toMatchObject({
      score: 0,
      issues: ['The code can’t be run: SyntaxError: no (line 1)'],
    });
  });

  test.each<[string, PythonReport, RegExp]>([
    ['turned off', { type: 'off' }, /turned off here\. An owner can turn them on under Settings/],
    ['no interpreter', { type: 'unavailable', problem: 'It is away.' }, /It is away\. Try again/],
    ['tests that cannot run', { type: 'unusable', problem: 'SyntaxError: x' }, /Fix them in the experiment\.$/],
    ['no tests', tested([{ outcome: 'skipped' }]), /No test was run/],
  ])('unscored: %s', async (_name, report, reason) => {
    const result = await evaluate(report);
    expect(result).toMatchObject({ score: null, issues: [], feedback: '' });
    expect(result.reason).toMatch(reason);
  });

  test('uses the tests of the case', async () => {
    const { asked } = await evaluate(tested([{}]), 'import math\n{{ metadata.tests }}', {
      tests: 'def test_own(): pass',
    });
    expect(asked).toEqual([
      { code: 'def add(a, b): return a\n', tests: 'import math\ndef test_own(): pass', timeoutMs: 5_000 },
    ]);
    expect(await evaluate(tested([{}]), '{{metadata.tests}}')).toMatchObject({
      score: null,
      reason: 'Not scored. The case has no text metadata.tests, which the tests use.',
    });
  });
});

test.each([
  ['the whole output', 'x = 1', 'x = 1'],
  ['a block marked as Python', 'Here:\n```python\nx = 1\n```\nDone', 'x = 1\n'],
  [
    'the longest marked block',
    '```py\na\n```\n```Python title\nlonger = 1\n```\n```\nmuch longer than both of them\n```',
    'longer = 1\n',
  ],
  ['an unmarked block', 'So:\n```\nx = 1\n```', 'x = 1\n'],
  ['a truncated block', '```python\nx = 1\ny =', 'x = 1\ny ='],
  ['a block fenced with tildes', '~~~python\nx = "```"\n~~~', 'x = "```"\n'],
  ['blocks of other languages', 'x\n```json\n{}\n```', 'x\n```json\n{}\n```'],
  ['an empty output', '', ''],
])('extracts the code of an output: %s', (_name, output, code) => {
  expect(candidateCode(output)).toBe(code);
});
