import { describe, expect, test } from 'vitest';
import { settingsSchema } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { saveProvider } from '#lib/models/change-providers.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import { PRACTICE_WRITING, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { estimateDraft, estimateStart } from './estimate-start.ts';
import { startBatch } from './start-batch.ts';

const db = useTestDatabase();
const AT_ONCE = { atOnce: 4 };
const TASKS = ['Describe our release process', 'Write a guide to code reviews', 'Explain the refund policy'];

async function experimentOf(settings: object = {}) {
  const context = testContext(db.database());
  const input = settingsSchema.parse({ ...PRACTICE_WRITING, maxIterations: 2, ...settings });
  const { id } = unwrap(await createExperiment(context, TESTER, { name: 'Guides', ...input }));
  return { context, id };
}

describe('estimateStart', () => {
  test("uses text lengths first, then the experiment's own calls, and covers the runs that follow", async () => {
    const { context, id } = await experimentOf();
    const cases = TASKS.map((input) => ({ input }));
    const first = unwrap(await estimateStart(context, id, { cases }, AT_ONCE));
    expect(first).toMatchObject({ runs: 3, cases: 3, calls: { lowest: 6, highest: 24 }, practice: true });
    expect(first.roles.every(({ basis, n }) => basis === 'text' && n === 0)).toBe(true);

    const perform = async () => {
      const started = unwrap(
        await startBatch(context, TESTER, id, { cases }, { idempotencyKey: null, watched: false }),
      );
      for (const runId of started.runIds) await performRun(testWorkerContext(context), runId);
      const { rows } = await db.database().pool.query<{ calls: number; tokens: number; cost: number }>(
        `SELECT sum(call_count)::int AS calls, sum(input_tokens + output_tokens)::int AS tokens, sum(cost_usd) AS cost
         FROM runs WHERE batch_id = $1`,
        [started.batchId],
      );
      return rows[0] ?? { calls: 0, tokens: 0, cost: 0 };
    };
    await perform();
    const later = unwrap(await estimateStart(context, id, { cases }, AT_ONCE));
    expect(later.roles.map(({ role, basis }) => [role, basis])).toContainEqual(['generate', 'experiment']);
    const spent = await perform();
    for (const [range, amount] of [
      [later.calls, spent.calls],
      [later.tokens, spent.tokens],
      [later.costUsd, spent.cost],
    ] as const) {
      expect(amount).toBeGreaterThanOrEqual(range.lowest);
      expect(amount).toBeLessThanOrEqual(range.highest);
    }
  });

  test('includes the repeated requests of past runs', async () => {
    const { context, id } = await experimentOf();
    const cases = TASKS.map((input) => ({ input }));
    const started = unwrap(await startBatch(context, TESTER, id, { cases }, { idempotencyKey: null, watched: false }));
    for (const runId of started.runIds) await performRun(testWorkerContext(context), runId);
    const highestOf = async (wanted: string) => {
      const { roles } = unwrap(await estimateStart(context, id, { cases }, AT_ONCE));
      return roles.find(({ role }) => role === wanted)?.calls.highest ?? 0;
    };
    const before = { generate: await highestOf('generate'), revise: await highestOf('revise') };
    const change = (sql: string) => db.database().pool.query(`${sql} AND run_id = ANY ($1)`, [started.runIds]);
    await change(`UPDATE model_calls SET attempts = 2 WHERE role = 'generate'`);
    // Every revision takes a second request.
    await change(`UPDATE model_calls SET role = 'revise' WHERE role = 'reflect'`);
    await change(`UPDATE model_calls c SET step = (SELECT max(step) FROM model_calls o WHERE o.run_id = c.run_id)
      WHERE role = 'revise'`);
    expect(await highestOf('generate')).toBe(2 * before.generate);
    expect(await highestOf('revise')).toBeGreaterThanOrEqual(2 * before.revise);
    // Other tests estimate from calls of the same model.
    await change('DELETE FROM model_calls WHERE true');
  });

  test('uses calls of the same model in other experiments for a new experiment', async () => {
    const { context, id } = await experimentOf({ maxIterations: 0 });
    const { roles } = unwrap(await estimateStart(context, id, { input: 'Explain the refund policy' }, AT_ONCE));
    expect(roles.map(({ role, basis }) => [role, basis])).toEqual([
      ['generate', 'model'],
      ['evaluate', 'model'],
    ]);
    expect(roles[0]?.n).toBeGreaterThanOrEqual(6);
  });

  test('counts a dataset without reading it, each case once per repetition', async () => {
    const { context, id } = await experimentOf();
    const cases = TASKS.map((input) => ({ input, reference: null, tags: [], metadata: {} }));
    const dataset = unwrap(await createDataset(context, TESTER, { name: 'Tasks', cases }));
    const found = unwrap(await estimateStart(context, id, { datasetId: dataset.id, repetitions: 4 }, AT_ONCE));
    expect(found).toMatchObject({ cases: 3, runs: 12, calls: { lowest: 24, highest: 96 } });
  });

  test('counts the cases of a tuning run by split', async () => {
    const tuned = { mode: 'tune', prompts: { generate: 'Do this: {{input}}' }, maxIterations: 1 };
    const { context, id } = await experimentOf(tuned);
    const cases = [['train'], ['train'], ['validation'], ['held_out']].map((tags, at) => ({
      input: `Task ${at}`,
      tags,
    }));
    const found = unwrap(await estimateStart(context, id, { cases }, AT_ONCE));
    // One validation and one held-out case; then two training cases twice, the proposal, and both again.
    expect(found).toMatchObject({ runs: 1, cases: 4, calls: { lowest: 4, highest: 4 + 8 + 1 + 2 + 2 + 2 * 3 * 2 } });
    expect(await estimateStart(context, id, {}, AT_ONCE)).toMatchObject({
      ok: false,
      problem: { field: 'datasetId' },
    });
  });

  test.each([
    { name: 'two sources', input: { input: 'a', inputLength: 3 }, field: null },
    {
      name: 'an unknown dataset',
      input: { datasetId: '00000000-0000-4000-8000-000000000000' },
      field: 'datasetId',
    },
    { name: 'too many repetitions', input: { repetitions: 21 }, field: 'repetitions' },
  ])('refuses $name', async ({ input, field }) => {
    const { context, id } = await experimentOf();
    expect(await estimateStart(context, id, input, AT_ONCE)).toMatchObject({ ok: false, problem: { field } });
  });
});

describe('estimateDraft', () => {
  test('lists models without a price, and stores nothing', async () => {
    const context = testContext(db.database());
    const provider = { name: 'local', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' };
    unwrap(await saveProvider(context, TESTER, provider));
    const count = async () => (await db.database().pool.query('SELECT 1 FROM experiments')).rowCount;
    const before = await count();
    const experiment = { ...PRACTICE_WRITING, name: 'Draft', evaluatorModel: { provider: 'local', model: 'judge' } };
    const found = unwrap(await estimateDraft(context, { experiment, inputLength: 800 }, AT_ONCE));
    expect(found).toMatchObject({ runs: 1, unpricedModels: ['local/judge'] });
    expect(found.costUsd.highest).toBeGreaterThan(0);
    expect(await count()).toBe(before);
  });

  test('reports invalid settings by field', async () => {
    const context = testContext(db.database());
    const experiment = { ...PRACTICE_WRITING, name: 'Draft', maxIterations: 51 };
    expect(await estimateDraft(context, { experiment }, AT_ONCE)).toMatchObject({
      ok: false,
      problem: { field: 'experiment.maxIterations' },
    });
  });
});
