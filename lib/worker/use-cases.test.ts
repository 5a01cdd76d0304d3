import { describe, expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import { findDataset } from '#lib/datasets/queries.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { deleteExperiment } from '#lib/experiments/delete-experiment.ts';
import { listExperiments } from '#lib/experiments/list-experiments.ts';
import { findExperiment } from '#lib/experiments/queries.ts';
import { updateExperiment } from '#lib/experiments/update-experiment.ts';
import { formatMoment } from '#lib/format.ts';
import { saveProvider, updateProvider } from '#lib/models/change-providers.ts';
import { listProviders } from '#lib/models/list-providers.ts';
import { providerResolver } from '#lib/models/resolve-provider.ts';
import { findProvider } from '#lib/models/stored-provider.ts';
import { findBatch } from '#lib/runs/batches.ts';
import { deleteRun } from '#lib/runs/delete-run.ts';
import { listRuns } from '#lib/runs/list-runs.ts';
import { seedSamples } from '#lib/samples/samples.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import {
  PRACTICE_SUMS,
  PRACTICE_WRITING,
  queuedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('experiments', () => {
  test('tuning without a prompt is rejected with its field, on create and on update', async () => {
    const shop = context();
    const refused = { problem: { code: 'invalid', field: 'prompts.generate' } };
    const tuning = { name: 'Guides', ...PRACTICE_WRITING, mode: 'tune' };
    expect(await createExperiment(shop, TESTER, tuning)).toMatchObject(refused);
    const { id } = unwrap(await createExperiment(shop, TESTER, { name: 'Guides', ...PRACTICE_WRITING }));
    expect(await updateExperiment(shop, TESTER, id, { mode: 'tune' })).toMatchObject(refused);
    const prompts = { generate: 'Write of {{input}}' };
    expect(unwrap(await updateExperiment(shop, TESTER, id, { mode: 'tune', prompts }))).toEqual({ id, version: 2 });
  });

  test('an update creates a version and keeps omitted settings; runs keep their settings version', async () => {
    const shop = context();
    const { id } = unwrap(await createExperiment(shop, TESTER, { name: 'Guides', ...PRACTICE_WRITING }));
    const started = unwrap(
      await startBatch(shop, TESTER, id, { input: 'Explain webhooks' }, { idempotencyKey: null, watched: false }),
    );
    expect(
      unwrap(await updateExperiment(shop, TESTER, id, { qualityThreshold: 0.9, generator: { temperature: 1 } })),
    ).toEqual({ id, version: 2 });
    const experiment = await findExperiment(db.database(), id);
    expect(experiment).toMatchObject({
      name: 'Guides',
      latestVersion: 2,
      settings: { qualityThreshold: 0.9, maxIterations: 5, generator: { provider: 'practice', temperature: 1 } },
    });
    const { items } = await listRuns(db.database(), { experimentId: id, cursor: null, limit: 10 });
    expect(items.map((run) => run.id)).toEqual(started.runIds);
    expect((await findBatch(db.database(), started.batchId))?.experimentVersion).toBe(1);
  });

  test.each([
    {
      name: 'an unknown provider',
      change: { generator: { provider: 'nowhere' } },
      field: 'generator.provider',
    },
    {
      name: 'a pattern that does not compile',
      change: { criteria: [{ name: 'form', evaluator: 'regex', config: { pattern: '(' } }] },
      field: 'criteria.0.config.pattern',
    },
    {
      name: 'an extraction that does not compile',
      change: { criteria: [{ name: 'form', evaluator: 'reference', config: { match: 'exact', extract: '[' } }] },
      field: 'criteria.0.config.extract',
    },
    { name: 'a threshold out of range', change: { qualityThreshold: 1.5 }, field: 'qualityThreshold' },
    { name: 'an unknown key', change: { maxIteration: 3 }, field: 'maxIteration' },
  ])('rejects $name with its field and changes nothing', async ({ change, field }) => {
    const shop = context();
    const { id } = unwrap(await createExperiment(shop, TESTER, { name: 'Guides', ...PRACTICE_WRITING }));
    expect(await updateExperiment(shop, TESTER, id, change)).toMatchObject({
      ok: false,
      problem: { code: 'invalid', field },
    });
    expect((await findExperiment(db.database(), id))?.latestVersion).toBe(1);
  });

  test('rejects an update of an outdated version, naming author and time; accepts one of the latest', async () => {
    const shop = context();
    const { id } = unwrap(await createExperiment(shop, TESTER, { name: 'Guides', ...PRACTICE_WRITING }));
    const ada = { ...TESTER, name: 'Ada Owner' };
    unwrap(await updateExperiment(shop, ada, id, { maxIterations: 2, message: 'fewer rounds', seenVersion: 1 }));
    const saved = (await findExperiment(db.database(), id))?.versions[0]?.createdAt ?? '';
    const mine = { name: 'Guides, renamed', maxIterations: 5 };
    expect(await updateExperiment(shop, TESTER, id, { ...mine, seenVersion: 1 })).toEqual({
      ok: false,
      problem: {
        code: 'conflict',
        message: `Ada Owner saved version 2 at ${formatMoment(saved)} ("fewer rounds") while you were editing. Review what changed, then save yours as the next version.`,
        field: null,
      },
    });
    expect(await findExperiment(db.database(), id)).toMatchObject({
      name: 'Guides',
      latestVersion: 2,
      settings: { maxIterations: 2 },
    });
    expect(unwrap(await updateExperiment(shop, TESTER, id, { ...mine, seenVersion: 2 }))).toEqual({ id, version: 3 });
    expect(unwrap(await updateExperiment(shop, TESTER, id, { maxIterations: 4 }))).toEqual({ id, version: 4 });
  });

  test.each([
    ['0', 0],
    ['a string', '1'],
    ['null', null],
    ['a future version', 2],
  ])('rejects %s as seenVersion', async (_name, seenVersion) => {
    const shop = context();
    const { id } = unwrap(await createExperiment(shop, TESTER, { name: 'Guides', ...PRACTICE_WRITING }));
    expect(await updateExperiment(shop, TESTER, id, { maxIterations: 2, seenVersion })).toMatchObject({
      problem: { code: 'invalid', field: 'seenVersion', message: expect.stringContaining('seenVersion') },
    });
  });

  test('rejects one of two concurrent updates with a conflict', async () => {
    const shop = context();
    const { id } = unwrap(await createExperiment(shop, TESTER, { name: 'Guides', ...PRACTICE_WRITING }));
    const saves = await Promise.all(
      [2, 3].map((maxIterations) => updateExperiment(shop, TESTER, id, { maxIterations, seenVersion: 1 })),
    );
    expect(saves.find(({ ok }) => !ok)).toMatchObject({
      problem: { code: 'conflict', message: expect.stringContaining('Tester saved version 2 at ') },
    });
    expect((await findExperiment(db.database(), id))?.latestVersion).toBe(2);
  });

  test('deletion removes and counts dependent rows; lessons of a deleted run are kept', async () => {
    const shop = context();
    const runId = await queuedRun(shop, PRACTICE_SUMS, {
      input: 'What is 11 + 21 × 6? Answer as Finish[number].',
      reference: '137',
    });
    await performRun(testWorkerContext(shop), runId);
    const experimentId = (await listRuns(db.database(), { cursor: null, limit: 1 })).items[0]?.experimentId ?? '';
    const lessons = await db.database().prisma.lesson.count({ where: { runId } });
    expect(lessons).toBeGreaterThan(0);
    expect(unwrap(await deleteExperiment(shop, TESTER, experimentId))).toEqual({
      deleted: { experiments: 1, versions: 1, batches: 1, runs: 1 },
    });
    expect(await db.database().prisma.modelCall.count({ where: { runId } })).toBe(0);
    expect(await db.database().prisma.lesson.count({ where: { runId } })).toBe(lessons);
    expect(await deleteRun(shop, TESTER, runId)).toMatchObject({ problem: { code: 'not_found' } });
  });

  test('stores the author and message of each version, and the source of a duplicate', async () => {
    const shop = context();
    const { id } = unwrap(
      await createExperiment(shop, TESTER, { name: 'Guides', ...PRACTICE_WRITING, message: ' from the template ' }),
    );
    unwrap(await updateExperiment(shop, TESTER, id, { maxIterations: 2, message: 'fewer rounds' }));
    unwrap(await updateExperiment(shop, TESTER, id, { maxIterations: 1, message: '' }));
    const copied = { name: 'Guides, warmer', parentId: id, parentVersion: 2, generator: { temperature: 0.7 } };
    const copy = unwrap(await createExperiment(shop, TESTER, copied));
    expect((await findExperiment(db.database(), id))?.versions).toMatchObject([
      { version: 3, actor: 'Tester', message: null },
      { version: 2, actor: 'Tester', message: 'fewer rounds' },
      { version: 1, actor: 'Tester', message: 'from the template' },
    ]);
    expect(await findExperiment(db.database(), copy.id)).toMatchObject({
      origin: 'made',
      parent: { id, name: 'Guides', version: 2 },
      latestVersion: 1,
      settings: { maxIterations: 2, generator: { model: 'practice-1', temperature: 0.7 } },
    });
    unwrap(await deleteExperiment(shop, TESTER, id));
    expect((await findExperiment(db.database(), copy.id))?.parent).toBeNull();
  });

  test.each([
    { name: 'a message that is too long', more: { message: 'x'.repeat(501) }, field: 'message' },
    { name: 'a parent without its version', more: { parentId: UNKNOWN }, field: 'parentVersion' },
    {
      name: 'a parent version that the database cannot compare',
      more: { parentId: UNKNOWN, parentVersion: 3_000_000_000 },
      field: 'parentVersion',
    },
    { name: 'an unknown parent', more: { parentId: UNKNOWN, parentVersion: 1 }, field: 'parentId' },
  ])('rejects $name with its field', async ({ more, field }) => {
    const input = { name: 'Guides', ...PRACTICE_WRITING, ...more };
    expect(await createExperiment(context(), TESTER, input)).toMatchObject({ ok: false, problem: { field } });
  });

  test('pages the list without gaps or duplicates, and matches % and _ in a search literally', async () => {
    const shop = context();
    for (const name of ['page 50% a', 'page 50% b', 'page 50% c', 'page 5000 d'])
      unwrap(await createExperiment(shop, TESTER, { name, ...PRACTICE_WRITING }));
    const names: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listExperiments>> = await listExperiments(db.database(), {
        cursor,
        limit: 2,
        search: 'page 50%',
      });
      names.push(...page.items.map((item) => item.name));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(names).toEqual(['page 50% c', 'page 50% b', 'page 50% a']);
  });
});

describe('batches', () => {
  test('returns the existing batch for the same key and request, even if concurrent', async () => {
    const shop = context();
    const { id } = unwrap(await createExperiment(shop, TESTER, { name: 'Guides', ...PRACTICE_WRITING }));
    const start = () =>
      startBatch(
        shop,
        TESTER,
        id,
        { cases: [{ input: 'a' }, { input: 'b' }] },
        { idempotencyKey: `key ${id}`, watched: false },
      );
    const [first, second] = (await Promise.all([start(), start()])).map(unwrap);
    expect(second).toEqual(first);
    expect(unwrap(await start())).toEqual(first);
    expect(
      await startBatch(shop, TESTER, id, { input: 'other' }, { idempotencyKey: `key ${id}`, watched: false }),
    ).toMatchObject({ problem: { code: 'conflict', field: 'Idempotency-Key' } });
    expect((await listRuns(db.database(), { experimentId: id, cursor: null, limit: 10 })).items).toHaveLength(2);
  });

  test.each([
    { name: 'neither input, cases nor dataset', input: {}, code: 'invalid' },
    { name: 'input and cases', input: { input: 'a', cases: [{ input: 'b' }] }, code: 'invalid' },
    { name: 'no cases', input: { cases: [] }, code: 'invalid' },
    { name: 'an empty input', input: { input: '' }, code: 'invalid' },
    { name: 'an unknown dataset', input: { datasetId: UNKNOWN }, code: 'not_found' },
    { name: 'no repetitions', input: { input: 'a', repetitions: 0 }, code: 'invalid' },
    { name: 'too many repetitions', input: { input: 'a', repetitions: 21 }, code: 'invalid' },
  ])('rejects $name', async ({ input, code }) => {
    const shop = context();
    const { id } = unwrap(await createExperiment(shop, TESTER, { name: 'Guides', ...PRACTICE_WRITING }));
    expect(await startBatch(shop, TESTER, id, input, { idempotencyKey: null, watched: false })).toMatchObject({
      problem: { code },
    });
    expect(shop.sent).toEqual([]);
  });

  test('runs the repetitions of each case next to each other and counts them as one case', async () => {
    const shop = context();
    const { id } = unwrap(await createExperiment(shop, TESTER, { name: 'Guides', ...PRACTICE_WRITING }));
    const input = {
      cases: [
        { input: 'a', tags: ['x'] },
        { input: 'b', reference: 'r' },
      ],
      repetitions: 3,
    };
    const { batchId, runIds } = unwrap(
      await startBatch(shop, TESTER, id, input, { idempotencyKey: null, watched: false }),
    );
    const runs = await db.database().prisma.run.findMany({ where: { batchId }, orderBy: { position: 'asc' } });
    expect(runs.map((run) => [run.id, run.position, run.input, run.repetition, run.tags, run.reference])).toEqual(
      runIds.map((runId, position) => [
        runId,
        position,
        position < 3 ? 'a' : 'b',
        position % 3,
        position < 3 ? ['x'] : [],
        position < 3 ? null : 'r',
      ]),
    );
    expect(runs.map(({ number }) => number)).toEqual(runs.map(({ number }) => number).sort((a, b) => a - b));
    expect(new Set(runs.map(({ caseKey }) => caseKey)).size).toBe(2);
    expect(shop.sent).toEqual(runIds);
    expect((await findExperiment(db.database(), id))?.batches).toMatchObject([
      { id: batchId, total: 6, repetitions: 3, dataset: null, source: 'started' },
    ]);
  });

  test('rejects a batch over the run limit before creating any run', async () => {
    const shop = context();
    const { id } = unwrap(await createExperiment(shop, TESTER, { name: 'Guides', ...PRACTICE_WRITING }));
    const cases = Array.from({ length: 5_001 }, (_, at) => ({ input: String(at) }));
    expect(
      await startBatch(shop, TESTER, id, { cases, repetitions: 20 }, { idempotencyKey: null, watched: false }),
    ).toMatchObject({
      problem: { code: 'invalid', field: 'repetitions', message: expect.stringContaining('100,020') },
    });
    expect(shop.sent).toEqual([]);
  });

  test('rejects a batch for an experiment of imported runs', async () => {
    const shop = context();
    const { id } = unwrap(await createExperiment(shop, TESTER, { name: 'Elsewhere', ...PRACTICE_WRITING }));
    await db.database().prisma.experiment.update({ where: { id }, data: { origin: 'imported' } });
    const refused = await startBatch(shop, TESTER, id, { input: 'a' }, { idempotencyKey: null, watched: false });
    expect(refused).toMatchObject({
      problem: { code: 'conflict', message: expect.stringContaining('Duplicate the experiment') },
    });
  });

  test('the report of a finished batch is consistent', async () => {
    const shop = context();
    const { id } = unwrap(await createExperiment(shop, TESTER, { name: 'Sums', ...PRACTICE_SUMS }));
    const cases = [1, 2, 3, 4, 5, 6].map((one) => ({
      input: `What is ${one} + 1${one} × 6? Answer as Finish[number].`,
      reference: String(one + (10 + one) * 6),
    }));
    const { batchId, runIds } = unwrap(
      await startBatch(shop, TESTER, id, { cases }, { idempotencyKey: null, watched: false }),
    );
    for (const runId of runIds) await performRun(testWorkerContext(shop), runId);
    const batch = await findBatch(db.database(), batchId);
    const { report } = batch ?? {};
    expect(batch).toMatchObject({ status: 'finished', total: 6, counts: { finished: 6 } });
    expect(report?.solvedByIteration.at(-1)).toBe(report?.solved);
    expect(Object.values(report?.stopReasons ?? {}).reduce((sum, count) => sum + count, 0)).toBe(6);
    expect(report?.firstScore?.n).toBe(6);
  });
});

describe('datasets', () => {
  test('returns cases as sent and in order, with text that PostgreSQL cannot store replaced', async () => {
    const cases = [
      {
        input: 'nul \u0000 and lone \ud800',
        reference: 'ä"\\',
        tags: ['a', 'b,c'],
        metadata: { depth: { of: [1, null, 'x'] } },
      },
      { input: 'second' },
    ];
    const { id } = unwrap(await createDataset(context(), TESTER, { name: 'Odd', cases }));
    expect(await findDataset(db.database(), id)).toMatchObject({
      caseCount: 2,
      cases: [
        {
          input: 'nul \ufffd and lone \ufffd',
          reference: 'ä"\\',
          tags: ['a', 'b,c'],
          metadata: { depth: { of: [1, null, 'x'] } },
        },
        { input: 'second', reference: null, tags: [], metadata: {} },
      ],
    });
  });

  test('returns a page of cases from an offset, and none past the last', async () => {
    const cases = Array.from({ length: 7 }, (_, at) => ({ input: `case ${at}` }));
    const { id } = unwrap(await createDataset(context(), TESTER, { name: 'Seven', cases }));
    const inputs = async (limit: number, from: number) =>
      (await findDataset(db.database(), id, limit, from))?.cases.map(({ input }) => input);
    expect(await inputs(3, 0)).toEqual(['case 0', 'case 1', 'case 2']);
    expect(await inputs(3, 5)).toEqual(['case 5', 'case 6']);
    expect(await inputs(3, 7)).toEqual([]);
  });
});

describe('providers', () => {
  const CANARY = 'sk-canary-0123456789abcdefWXYZ';

  test('encrypts a key, shows only its last four characters, and decrypts it in the worker', async () => {
    const shop = context();
    const view = unwrap(
      await saveProvider(shop, TESTER, {
        name: 'mine',
        kind: 'openai-compatible',
        baseUrl: 'http://127.0.0.1:9/v1',
        apiKey: CANARY,
      }),
    );
    expect(view).toMatchObject({ hasKey: true, keyLastFour: 'WXYZ' });
    expect(JSON.stringify([view, await listProviders(shop)])).not.toContain(CANARY);
    const { rows } = await db.database().pool.query('SELECT to_jsonb(p)::text AS row FROM providers p');
    expect(JSON.stringify(rows)).not.toContain(CANARY);
    expect((await providerResolver(shop)('mine'))?.apiKey).toBe(CANARY);
  });

  test('deletes the key when the base URL changes, unless a new key is sent; other updates keep it', async () => {
    const shop = context();
    const add = { name: 'moving', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', apiKey: CANARY };
    unwrap(await saveProvider(shop, TESTER, add));
    expect(unwrap(await updateProvider(shop, TESTER, 'moving', { maxConcurrency: 3 })).hasKey).toBe(true);
    expect(unwrap(await updateProvider(shop, TESTER, 'moving', { baseUrl: 'http://127.0.0.1:8/v1' }))).toMatchObject({
      hasKey: false,
      keyLastFour: null,
    });
    expect((await findProvider(db.database(), 'moving'))?.sealedKey).toBeNull();
    expect(
      unwrap(await updateProvider(shop, TESTER, 'moving', { baseUrl: 'http://127.0.0.1:7/v1', apiKey: CANARY })).hasKey,
    ).toBe(true);
  });

  test.each([
    { name: 'a name in use', input: { name: 'twice', kind: 'openai' }, field: 'name' },
    { name: 'the reserved name of the practice model', input: { name: 'practice', kind: 'openai' }, field: 'name' },
    {
      name: 'a compatible server without a base URL',
      input: { name: 'x', kind: 'openai-compatible' },
      field: 'baseUrl',
    },
    {
      name: 'a file URL as base URL',
      input: { name: 'x', kind: 'openai-compatible', baseUrl: 'file:///etc/passwd' },
      field: 'baseUrl',
    },
    {
      name: 'a key in the URL',
      input: { name: 'x', kind: 'openai-compatible', baseUrl: 'http://user:key@host/v1' },
      field: 'baseUrl',
    },
    { name: 'an unknown kind', input: { name: 'x', kind: 'other' }, field: 'kind' },
    { name: 'a concurrency of 0', input: { name: 'x', kind: 'openai', maxConcurrency: 0 }, field: 'maxConcurrency' },
    {
      name: 'a negative price',
      input: { name: 'x', kind: 'openai', prices: { m: { inputPerMillionUsd: -1, outputPerMillionUsd: 1 } } },
      field: 'prices.m.inputPerMillionUsd',
    },
  ])('rejects $name with its field', async ({ input, field }) => {
    const shop = context();
    if (input.name === 'twice') await saveProvider(shop, TESTER, input);
    expect(await saveProvider(shop, TESTER, input)).toMatchObject({ ok: false, problem: { field } });
  });
});

test('samples are created once, even after an interrupted start, and not recreated when deleted', async () => {
  const shop = context();
  const samples = async () => {
    const { items } = await listExperiments(db.database(), { cursor: null, limit: 200 });
    return items.filter((experiment) => experiment.sample);
  };
  let left = 2;
  const crashing = {
    ...shop,
    enqueue: async () => {
      left--;
      if (left === 0) throw new Error('killed');
    },
  };
  await expect(seedSamples(crashing)).rejects.toThrow('killed');
  await seedSamples(shop);
  expect(await samples()).toHaveLength(4);
  expect(shop.sent).toHaveLength(23);
  for (const sample of await samples()) unwrap(await deleteExperiment(shop, TESTER, sample.id));
  await seedSamples(shop);
  expect(await samples()).toEqual([]);
});
