import { expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { queuedRun, storedRun, TESTER, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { listModelCalls } from './list-model-calls.test-support.ts';

const db = useTestDatabase();
const BASE = {
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  maxIterations: 4,
  convergence: null,
} satisfies Partial<ExperimentSettingsInput>;
const CASE = { input: 'Explain our rate limits to a new user', reference: 'ZANZIBAR is the reference.' };

async function performed(criteria: ExperimentSettingsInput['criteria'], more: Partial<ExperimentSettingsInput> = {}) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, { ...BASE, criteria, ...more }, CASE);
  await performRun(testWorkerContext(context), runId);
  const run = await storedRun(db.database(), runId);
  return { ...run, calls: await listModelCalls(db.database(), runId) };
}

test('revises until every checklist item is met, then finishes', async () => {
  const items = ['Gives an example', 'Ends with a summary', 'Gives the reason why it matters'];
  const { run, history } = await performed([{ name: 'complete', evaluator: 'checklist', config: { items } }], {
    qualityThreshold: 1,
  });
  const scores = history.evaluations.map(({ overallScore }) => overallScore ?? -1);
  expect(scores[0]).toBeLessThan(1);
  expect(scores.at(-1)).toBe(1);
  expect(run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met' });
  expect(history.evaluations[0]).toMatchObject({ sameModelJudge: true, status: 'scored' });
});

test('in a comparison with the previous version, the first ties and a better one ends the run', async () => {
  const { run, history, calls } = await performed([
    { name: 'clarity', evaluator: 'comparison', config: { against: 'previous' } },
  ]);
  expect(history.evaluations[0]).toMatchObject({ overallScore: 0.5, satisfactory: false, costUsd: 0 });
  expect(history.evaluations.at(-1)).toMatchObject({ overallScore: 1, satisfactory: true, sameModelJudge: true });
  expect(run.convergenceReason).toBe('quality_met');
  const judging = calls.filter(({ role }) => role === 'evaluate');
  expect(judging.length).toBeGreaterThanOrEqual(2);
  // Both orders are judged concurrently, so either call may finish first.
  expect(new Set(judging.slice(0, 2).map(({ ordinal }) => ordinal))).toEqual(new Set([0, 1]));
});

test("in a comparison with the reference, only the judge's prompt contains it", async () => {
  const { calls, history } = await performed(
    [{ name: 'clarity', evaluator: 'comparison', config: { against: 'reference' } }],
    { maxIterations: 1, qualityThreshold: 1 },
  );
  const seen = calls.filter(({ prompt, instructions }) => `${prompt}${instructions}`.includes('ZANZIBAR'));
  expect(new Set(seen.map(({ role }) => role))).toEqual(new Set(['evaluate']));
  expect(history.evaluations.every(({ status }) => status === 'scored')).toBe(true);
});

test('rejects an unsupported JSON schema and names the field', async () => {
  const made = await createExperiment(testContext(db.database()), TESTER, {
    ...BASE,
    name: 'x',
    criteria: [{ name: 'form', evaluator: 'json_schema', config: { schema: { pattern: '(?=a)' } } }],
  });
  expect(made).toMatchObject({
    ok: false,
    problem: {
      field: 'criteria.0.config.schema',
      message: expect.stringMatching(/^criteria\.0\.config\.schema holds the pattern/),
    },
  });
});
