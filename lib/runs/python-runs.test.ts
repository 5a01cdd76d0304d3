import { afterAll, describe, expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { openPython } from '#lib/evaluators/python/open-python.ts';
import { PROBLEMS, type Problem } from '#lib/evaluators/python/problems.test-support.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import { getPythonSetting, updatePythonSetting } from '#lib/settings/python.ts';
import { TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { loadRun } from './load-run.ts';

const db = useTestDatabase();
const python = openPython();
afterAll(() => {
  python.close();
  globalThis.honePython?.close();
});

const CODE: ExperimentSettingsInput = {
  mode: 'revise',
  taskType: 'code',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [
    {
      name: 'tests',
      evaluator: 'python_tests',
      threshold: 1,
      config: { tests: '{{metadata.tests}}', timeoutMs: 30_000 },
    },
  ],
  qualityThreshold: 1,
  maxIterations: 1,
};
const CASES = PROBLEMS.map(({ name, task, tests }) => ({ input: `${name}: ${task}`, metadata: { tests } }));
/** Number of problems a model solves in the batch. */
const BATCH = 2;
const NO_OPTIONS = { idempotencyKey: null, watched: false };

/** Returns a fake model that writes the wrong solution first, and the right one once the prompt contains the failed test. */
function coder(asked: string[]): ModelCaller {
  return async ({ role, prompt }) => {
    asked.push(prompt);
    const problem = PROBLEMS.find(({ name }) => prompt.includes(`${name}: `));
    const hasFailure = problem !== undefined && prompt.includes(problem.fails);
    const text =
      role === 'reflect'
        ? JSON.stringify({ summary: 'A test fails.', issues: [], suggestions: [] })
        : `\`\`\`python\n${role === 'revise' && hasFailure ? problem?.right : problem?.wrong}\n\`\`\``;
    const spent = { tokenUsage: { input: 1, output: 1, total: 2 }, costUsd: 0, latencyMs: 1 };
    return { ok: true, reply: { text, finishReason: 'stop', attempts: 1, warnings: [], ...spent } };
  };
}

test('rejects a batch while Python is off, naming the field and the fix', async () => {
  const context = testContext(db.database());
  expect(await getPythonSetting(context)).toBeNull();
  const { id } = unwrap(await createExperiment(context, TESTER, { name: 'Code', ...CODE }));
  expect(await startBatch(context, TESTER, id, { cases: CASES }, NO_OPTIONS)).toEqual({
    ok: false,
    problem: {
      code: 'invalid',
      message:
        'The criterion "tests" runs Python tests, but Python is turned off. Ask an owner to turn it on under Settings, or remove the criterion.',
      field: 'criteria.0.evaluator',
    },
  });
});

test('the Python setting records who changed it and when, and rejects invalid values', async () => {
  const context = testContext(db.database());
  for (const on of [true, false]) {
    unwrap(await updatePythonSetting(context, TESTER, { on }));
    expect(await getPythonSetting(context)).toEqual({ value: on, updatedBy: 'Tester', updatedAt: expect.any(String) });
  }
  expect(await updatePythonSetting(context, TESTER, { on: 'yes' })).toMatchObject({
    ok: false,
    problem: { field: 'on' },
  });
});

test('a wrong solution fails with its visible test in the issues, then the right one passes', async () => {
  const context = testContext(db.database());
  unwrap(await updatePythonSetting(context, TESTER, { on: true }));
  const { id } = unwrap(await createExperiment(context, TESTER, { name: 'Code', ...CODE }));
  const cases = CASES.slice(0, BATCH);
  const { runIds } = unwrap(await startBatch(context, TESTER, id, { cases }, NO_OPTIONS));
  const asked: string[] = [];
  const worker = testWorkerContext(context, coder(asked));
  await Promise.all(runIds.map((runId) => performRun(worker, runId)));
  for (const [position, runId] of runIds.entries()) {
    const problem = PROBLEMS[position];
    const stored = await loadRun(db.database(), runId);
    const [first, second] = stored?.history.evaluations ?? [];
    const issues = first?.issues.map(({ text }) => text).join('\n');
    expect([problem?.name, issues]).toEqual([problem?.name, expect.stringContaining(problem?.fails ?? '')]);
    expect([problem?.name, first?.satisfactory, second?.overallScore]).toEqual([problem?.name, false, 1]);
    expect(stored?.run).toMatchObject({ convergenceReason: 'quality_met', success: true });
  }
  expect(asked.join('\n')).not.toContain('test_hidden');
}, 300_000);

/** Runs the solutions and tests of all twenty problems at once, because an interpreter takes a second to start. */
async function judgeAll(which: 'right' | 'wrong') {
  const named = ({ name, tests }: Problem) => tests.replaceAll(/def (test_[a-z]+)_(\d+)/g, `def $1_${name}_$2`);
  const report = await python.run({
    code: PROBLEMS.map((problem) => problem[which]).join('\n\n'),
    tests: PROBLEMS.map(named).join('\n'),
    timeoutMs: 60_000,
  });
  if (report.type !== 'tested') throw new Error(report.type);
  return report;
}

describe('twenty Python problems', () => {
  test('right solutions pass all tests', async () => {
    expect(PROBLEMS).toHaveLength(20);
    const { tests, problem, hiddenProblem } = await judgeAll('right');
    expect([problem, hiddenProblem]).toEqual([null, null]);
    expect(tests.length).toBeGreaterThan(60);
    expect(tests.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  }, 120_000);

  test('each common mistake fails a visible test', async () => {
    const { tests } = await judgeAll('wrong');
    const failed = tests.filter(({ outcome, isHidden }) => outcome === 'failed' && !isHidden);
    expect(PROBLEMS.filter(({ fails }) => !failed.some(({ message }) => message.includes(fails)))).toEqual([]);
  }, 120_000);
});
