import { afterAll, expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { PROBLEMS } from '#lib/evaluators/python/problems.test-support.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import { getPythonSetting, updatePythonSetting } from '#lib/settings/python-setting.ts';
import { granted, TESTER, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { loadRun } from './load-run.ts';

const db = useTestDatabase();
afterAll(() => globalThis.honePython?.close());

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
const NO_OPTIONS = { idempotencyKey: null, watched: false };

/** Writes the wrong solution first, and the right one when it is told what failed. */
function coder(asked: string[]): ModelCaller {
  return async ({ role, prompt }) => {
    asked.push(prompt);
    const problem = PROBLEMS.find(({ name }) => prompt.includes(`${name}: `));
    const isTold = problem !== undefined && prompt.includes(problem.fails);
    const text =
      role === 'reflect'
        ? JSON.stringify({ summary: 'A test fails.', issues: [], suggestions: [] })
        : `\`\`\`python\n${role === 'revise' && isTold ? problem?.right : problem?.wrong}\n\`\`\``;
    const spent = { tokenUsage: { input: 1, output: 1, total: 2 }, costUsd: 0, latencyMs: 1 };
    return { ok: true, reply: { text, finishReason: 'stop', attempts: 1, warnings: [], ...spent } };
  };
}

test('while Python is off no run is started, and the field and the remedy are named', async () => {
  const context = testContext(db.database());
  expect(await getPythonSetting(context)).toBeNull();
  const { id } = granted(await createExperiment(context, TESTER, { name: 'Code', ...CODE }));
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

test('the switch remembers who turned it when, and refuses what it does not know', async () => {
  const context = testContext(db.database());
  for (const on of [true, false]) {
    granted(await updatePythonSetting(context, TESTER, { on }));
    expect(await getPythonSetting(context)).toEqual({ value: on, updatedBy: 'Tester', updatedAt: expect.any(String) });
  }
  expect(await updatePythonSetting(context, TESTER, { on: 'yes' })).toMatchObject({
    ok: false,
    problem: { field: 'on' },
  });
});

test('a batch of twenty: the wrong solution fails with its visible test in the issues, the right one passes', async () => {
  expect(CASES).toHaveLength(20);
  const context = testContext(db.database());
  granted(await updatePythonSetting(context, TESTER, { on: true }));
  const { id } = granted(await createExperiment(context, TESTER, { name: 'Code', ...CODE }));
  const { runIds } = granted(await startBatch(context, TESTER, id, { cases: CASES }, NO_OPTIONS));
  const asked: string[] = [];
  const worker = testWorkerContext(context, coder(asked));
  const perform = async (ids: string[]) => {
    for (const runId of ids) await performRun(worker, runId);
  };
  await Promise.all([perform(runIds.filter((_, at) => at % 2 === 0)), perform(runIds.filter((_, at) => at % 2 === 1))]);
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
}, 600_000);
