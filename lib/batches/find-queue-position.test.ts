import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { insertProvider } from '#lib/models/stored-provider.ts';
import { openQueue, type Queue } from '#lib/queue/queue.ts';
import { claimJobs } from '#lib/targets/jobs.ts';
import { saveTarget } from '#lib/targets/save-target.ts';
import {
  PRACTICE_WRITING,
  queuedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { findBatchQueuePosition, findQueuePosition } from './queue-position.ts';
import { startBatch } from './start-batch.ts';

const db = useTestDatabase();
let queue: Queue;
beforeAll(async () => {
  queue = await openQueue(db.connectionString, (error) => expect.fail(error.message));
});
afterAll(() => queue.stop(1));
afterEach(() => db.database().pool.query('DELETE FROM pgboss.job; TRUNCATE app_processes'));

const context = () => ({ ...testContext(db.database()), enqueue: queue.enqueue });

async function process(slots: number, busy: number): Promise<void> {
  await db.database().pool.query(
    `INSERT INTO app_processes (id, kind, host, process_id, version, slots, busy, started_at, seen_at)
     VALUES ($1, 'worker', 'box', 1, '1', $2, $3, now(), now())`,
    [randomUUID(), slots, busy],
  );
}

test('the last of three queued runs has two ahead; its batch reports the first run', async () => {
  const at = context();
  const first = await queuedRun(at, PRACTICE_WRITING, { input: 'One.' });
  await process(2, 2);
  const { experimentId } = await db.database().prisma.run.findUniqueOrThrow({ where: { id: first } });
  const cases = ['Two.', 'Three.'].map((input) => ({ input }));
  const options = { idempotencyKey: null, watched: false };
  const { batchId, runIds } = unwrap(await startBatch(at, TESTER, experimentId, { cases }, options));
  const positions = await Promise.all(runIds.map((runId) => findQueuePosition(at, runId)));
  expect(positions.map((position) => position?.ahead).sort()).toEqual([1, 2]);
  for (const position of positions) expect(position?.reasons[0]).toMatchObject({ kind: 'slots_full' });
  expect(await findBatchQueuePosition(at, batchId)).toMatchObject({ status: 'queued', ahead: 1 });
  expect(await findQueuePosition(at, first)).toMatchObject({ ahead: 0 });
});

test('names a provider at its concurrency limit only if the run uses it', async () => {
  const at = context();
  const names = [`p-${randomUUID()}`, `q-${randomUUID()}`];
  for (const name of names) {
    const none = { sealedKey: null, keyLastFour: null, maxRequestsPerMinute: null, prices: {} };
    const kind = 'openai-compatible' as const;
    await insertProvider(db.database().prisma, {
      ...none,
      name,
      kind,
      baseUrl: 'http://127.0.0.1:9',
      maxConcurrency: 1,
      now: new Date(),
    });
    await db
      .database()
      .pool.query(
        `INSERT INTO provider_slots (provider, slot, holder, held_until) VALUES ($1, 1, $2, now() + interval '1 minute')`,
        [name, randomUUID()],
      );
  }
  await process(2, 0);
  const settings = { ...PRACTICE_WRITING, generator: { provider: names[0] ?? '', model: 'm' } };
  const runId = await queuedRun(at, settings, { input: 'A note.' });
  expect((await findQueuePosition(at, runId))?.reasons).toMatchObject([
    { kind: 'provider_slots', message: expect.stringContaining(names[0] ?? '') },
  ]);
});

test('reports a target without a connected worker, for queued and running runs, until one connects', async () => {
  const at = context();
  const name = `app-${randomUUID().slice(0, 8)}`;
  unwrap(await saveTarget(at, TESTER, name, { kind: 'sdk', components: {} }));
  await process(2, 0);
  const target = { name, components: {}, tuned: null };
  const generator = { ...PRACTICE_WRITING.generator, target };
  const runId = await queuedRun(at, { ...PRACTICE_WRITING, generator }, { input: 'A note.' });
  const expected = { kind: 'target_not_connected', message: expect.stringContaining(name) };
  expect(await findQueuePosition(at, runId)).toMatchObject({ status: 'queued', reasons: [expected] });
  const { batchId } = await db.database().prisma.run.update({ where: { id: runId }, data: { status: 'running' } });
  expect(await findQueuePosition(at, runId)).toMatchObject({ status: 'running', reasons: [expected] });
  expect(await findBatchQueuePosition(at, batchId)).toMatchObject({ status: 'running', reasons: [expected] });

  unwrap(await claimJobs(at, name, { worker: 'one', max: 1, waitSeconds: 0 }, new AbortController().signal));
  expect(await findQueuePosition(at, runId)).toMatchObject({ status: 'running', reasons: [] });
  expect(await findBatchQueuePosition(at, batchId)).toBeNull();
});

test('an ended run has no position or reasons; ended batches and unknown runs return null', async () => {
  const at = context();
  const runId = await queuedRun(at, PRACTICE_WRITING, { input: 'A note.' });
  await performRun(testWorkerContext(at), runId);
  expect(await findQueuePosition(at, runId)).toEqual({ status: 'finished', ahead: null, reasons: [] });
  const { batchId } = await db.database().prisma.run.findUniqueOrThrow({ where: { id: runId } });
  expect(await findBatchQueuePosition(at, batchId)).toBeNull();
  expect(await findQueuePosition(at, randomUUID())).toBeNull();
});
