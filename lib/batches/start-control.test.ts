import { describe, expect, test } from 'vitest';
import { planControl, startControl } from '#lib/batches/start-control.ts';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { findExperiment } from '#lib/experiments/queries.ts';
import {
  PRACTICE_SUMS,
  PRACTICE_WRITING,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { startBatch } from './start-batch.ts';

const db = useTestDatabase();
const AT_ONCE = { atOnce: 4 };
const CASES = ['Describe our release process', 'Write a guide to code reviews'].map((input) => ({
  input,
  reference: 'Anything.',
  tags: ['writing'],
  metadata: { level: 1 },
}));

/** Creates a batch of an experiment and performs its runs except the last `leave`. */
async function batchOf(settings: Partial<ExperimentSettingsInput> = {}, leave = 0, repetitions = 1) {
  const context = testContext(db.database());
  const input = settingsSchema.parse({ ...PRACTICE_WRITING, maxIterations: 2, ...settings });
  const { id: experimentId } = unwrap(await createExperiment(context, TESTER, { name: 'Guides', ...input }));
  const asked = { cases: CASES, ...(repetitions > 1 && { repetitions }) };
  const options = { idempotencyKey: null, watched: false };
  const { batchId, runIds } = unwrap(await startBatch(context, TESTER, experimentId, asked, options));
  for (const runId of runIds.slice(leave)) await performRun(testWorkerContext(context), runId);
  context.sent.length = 0;
  return { context, experimentId, batchId };
}

async function spentBy(batchId: string) {
  const { rows } = await db.database().pool.query<{
    input: string;
    case_key: string;
    repetition: number;
    cost: number;
    tokens: number;
    versions: number;
    origins: string[];
    lessons: number;
    reason: string | null;
  }>(
    `SELECT r.input, r.case_key, r.repetition, r.cost_usd AS cost, r.input_tokens + r.output_tokens AS tokens, r.version_count AS versions,
       r.convergence_reason AS reason, ARRAY(SELECT DISTINCT v.origin FROM reflection_versions v WHERE v.run_id = r.id) AS origins,
       (SELECT count(*)::int FROM lessons l WHERE l.run_id = r.id) AS lessons
     FROM runs r WHERE r.batch_id = $1 ORDER BY r.position`,
    [batchId],
  );
  return rows;
}

describe('equal-cost control', () => {
  test('spends as much as the most expensive run, on fresh drafts of the same cases', async () => {
    const { context, experimentId, batchId } = await batchOf({ qualityThreshold: 1, convergence: null }, 0, 2);
    const before = await spentBy(batchId);
    const most = Math.max(...before.map(({ cost }) => cost));
    const started = unwrap(await startControl(context, TESTER, batchId, { control: 'equal_cost' }, AT_ONCE));
    expect(started).toMatchObject({ name: 'Equal cost: Guides', runs: 4 });
    expect(started.arms).toEqual([`${experimentId}@1`, started.experimentId]);
    expect(context.sent).toHaveLength(4);

    for (const runId of context.sent) await performRun(testWorkerContext(context), runId);
    const after = await spentBy(started.batchId);
    expect(after.map((run) => [run.case_key, run.repetition])).toEqual(
      before.map((run) => [run.case_key, run.repetition]),
    );
    for (const run of after) {
      expect(run.cost).toBeLessThanOrEqual(most);
      expect(run.versions).toBeGreaterThan(1);
      expect(run.lessons).toBe(0);
      expect(run.origins).toEqual(['retried']);
      expect(run.reason).toBe('cost_budget');
    }
    const control = await findExperiment(db.database(), started.experimentId);
    expect(control).toMatchObject({
      origin: 'control',
      control: 'equal_cost',
      parent: { id: experimentId, name: 'Guides', version: 1 },
      settings: {
        mode: 'retry',
        convergence: null,
        generator: { temperature: 0.7 },
        lessons: { store: 'none', write: 'off' },
        budget: { maxTokens: null, maxCalls: null, maxSeconds: null },
        criteria: [{ name: 'clarity' }, { name: 'completeness' }],
      },
    });
    expect(control?.settings.budget.maxCostUsd).toBeCloseTo(most, 9);
    expect(control?.versions[0]?.message).toContain('Control of Guides v1: new drafts');
    expect((await findExperiment(db.database(), experimentId))?.controls).toMatchObject([
      { id: started.experimentId, control: 'equal_cost', parentVersion: 1 },
    ]);
  });

  test('counts tokens if any call had no price', async () => {
    const { context, batchId } = await batchOf();
    await db.database().pool.query('UPDATE runs SET unpriced = true WHERE batch_id = $1', [batchId]);
    const most = Math.max(...(await spentBy(batchId)).map(({ tokens }) => tokens));
    const plan = unwrap(await planControl(context, batchId, { control: 'equal_cost' }, AT_ONCE));
    expect(plan.budget).toEqual({ maxTokens: most, maxCostUsd: null });
    expect(plan.estimate).toMatchObject({ runs: 2, cases: 2 });
    expect(plan.estimate.tokens.highest).toBeLessThanOrEqual(2 * most);
  });

  test.each([
    { name: 'a temperature with variation is kept', temperature: 1.2, asked: {}, value: 1.2, raised: false },
    { name: 'a missing temperature is raised', temperature: null, asked: {}, value: 0.7, raised: true },
    { name: 'a given temperature takes precedence', temperature: 0, asked: { temperature: 1 }, value: 1, raised: true },
  ])('temperature: $name', async ({ temperature, asked, value, raised }) => {
    const generator = { provider: 'practice', model: 'practice-1', temperature };
    const { context, batchId } = await batchOf({ generator, maxIterations: 0 });
    const plan = unwrap(await planControl(context, batchId, { control: 'equal_cost', ...asked }, AT_ONCE));
    expect(plan.temperature).toEqual({ value, raised });
    expect(plan.settings.generator.temperature).toBe(value);
  });
});

test('a no_lessons control changes nothing else', async () => {
  const { context, batchId, experimentId } = await batchOf(PRACTICE_SUMS, 1);
  const parent = await findExperiment(db.database(), experimentId);
  const started = unwrap(await startControl(context, TESTER, batchId, { control: 'no_lessons' }, AT_ONCE));
  const control = await findExperiment(db.database(), started.experimentId);
  const { lessons, ...rest } = control?.settings ?? settingsSchema.parse(PRACTICE_SUMS);
  expect(rest).toEqual({ ...parent?.settings, lessons: undefined });
  expect(lessons).toEqual({ ...parent?.settings.lessons, store: 'none', write: 'off' });
  expect(control?.control).toBe('no_lessons');
});

describe('refuses', () => {
  const NONE = { store: 'none', write: 'off' } as const;
  test.each<{ name: string; settings?: Partial<ExperimentSettingsInput>; leave?: number; input: object; says: string }>(
    [
      { name: 'an unknown control', input: { control: 'other' }, says: 'must be one of equal_cost, no_lessons' },
      { name: 'a temperature of 0', input: { control: 'equal_cost', temperature: 0 }, says: 'from 0.1 to 2' },
      { name: 'equal cost for unfinished runs', leave: 1, input: { control: 'equal_cost' }, says: 'still in progress' },
      {
        name: 'a temperature for a no_lessons control',
        input: { control: 'no_lessons', temperature: 1 },
        says: 'can only be set for the equal_cost control',
      },
      {
        name: 'a no_lessons control for runs without lessons',
        settings: { lessons: NONE },
        input: { control: 'no_lessons' },
        says: 'neither recalls nor writes lessons',
      },
    ],
  )('$name', async ({ settings, leave = 2, input, says }) => {
    const { context, batchId } = await batchOf(settings, leave);
    const result = await startControl(context, TESTER, batchId, input, AT_ONCE);
    expect(result).toMatchObject({ ok: false, problem: { message: expect.stringContaining(says) } });
    expect(context.sent).toEqual([]);
  });

  test('a control of a control, of imported runs, and of an unknown batch', async () => {
    const { context, batchId, experimentId } = await batchOf();
    const { batchId: controlBatch } = unwrap(
      await startControl(context, TESTER, batchId, { control: 'no_lessons' }, AT_ONCE),
    );
    const ask = (id: string) => planControl(context, id, { control: 'equal_cost' }, AT_ONCE);
    expect(await ask(controlBatch)).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining('is a control') },
    });
    await db.database().pool.query("UPDATE experiments SET origin = 'imported' WHERE id = $1", [experimentId]);
    expect(await ask(batchId)).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining('Duplicate the experiment') },
    });
    expect(await ask(context.newId())).toMatchObject({ ok: false, problem: { code: 'not_found' } });
  });
});
