import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PYTHON_TESTS_EXAMPLES } from '#lib/core/criteria/python-tests.ts';
import { openPython, type Python } from '#lib/evaluators/python/open-python.ts';
import { criterionSchema } from './criterion-schema.ts';

let python: Python;
beforeAll(async () => {
  python = openPython();
  await python.run({ code: '', tests: 'def test(): pass', timeoutMs: 20_000 });
}, 180_000);
afterAll(() => python.close());

const RIGHT = 'def add(a, b):\n  return a + b\n';
const WRONG = 'def add(a, b):\n  return abs(a) + abs(b)\n';

async function passed(name: string, code: string): Promise<[number, number]> {
  const tests = (PYTHON_TESTS_EXAMPLES.find((example) => example.name === name)?.code ?? '').replace(
    '{{metadata.tests}}',
    'def test_of_the_case():\n  assert add(1, -1) == 0',
  );
  const report = await python.run({ code, tests, timeoutMs: 20_000 });
  if (report.type !== 'tested') throw new Error(report.type);
  return [report.tests.filter(({ outcome }) => outcome === 'passed').length, report.tests.length];
}

describe('example tests', () => {
  test.each(PYTHON_TESTS_EXAMPLES)('$name are accepted unchanged', ({ code }) => {
    const criterion = { name: 'own', evaluator: 'python_tests', config: { tests: code } };
    expect(criterionSchema.safeParse(criterion).success).toBe(true);
  });

  test.each<[string, string, [number, number]]>([
    ['functions', RIGHT, [2, 2]],
    ['functions', WRONG, [1, 2]],
    ['unittest', RIGHT, [2, 2]],
    ['tests of each case', RIGHT, [1, 1]],
    ['tests of each case', WRONG, [0, 1]],
  ])(
    '%s distinguish correct from wrong solutions',
    async (name, code, count) => {
      expect(await passed(name, code)).toEqual(count);
    },
    60_000,
  );
});
