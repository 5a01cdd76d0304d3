import { describe, expect, test } from 'vitest';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { deleteExperiment } from '#lib/experiments/delete-experiment.ts';
import { findBatch, findTimeLeft } from '#lib/runs/batches.ts';
import { listVersionOutcomes } from '#lib/runs/list-runs.ts';
import { summedShare } from '#lib/statistics/shares.ts';
import { beforeTransaction } from '#lib/testing/before-transaction.test-support.ts';
import { PRACTICE_SUMS, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { resumeBatch, stopBatch } from './resume-batch.ts';
import { startBatch } from './start-batch.ts';

const db = useTestDatabase();
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

async function startedBatch(shop: ReturnType<typeof testContext>, count: number) {
  const { id } = unwrap(await createExperiment(shop, TESTER, { name: 'Sums', ...PRACTICE_SUMS }));
  const cases = Array.from({ length: count }, (_, at) => ({
    input: `What is ${at} + 1${at} × 6? Answer as Finish[number].`,
    reference: String(at + (10 + at) * 6),
  }));
  return unwrap(await startBatch(shop, TESTER, id, { cases }, { idempotencyKey: null, watched: false }));
}

const rowsOf = (batchId: string) =>
  db.database().prisma.run.findMany({
    where: { batchId },
    orderBy: { position: 'asc' },
    select: { id: true, status: true, versionCount: true, callCount: true, finishedAt: true },
  });

describe('a stopped batch', () => {
  test('resumes only its unfinished runs, and each run ends once', async () => {
    const shop = testContext(db.database());
    const { batchId, runIds } = await startedBatch(shop, 5);
    const [first = '', second = ''] = runIds;
    await performRun(testWorkerContext(shop), first);
    await db.database().prisma.run.update({
      where: { id: second },
      data: { status: 'failed', convergenceReason: 'model_failed', finishedAt: new Date() },
    });
    expect(unwrap(await stopBatch(shop, TESTER, batchId))).toEqual({ stopped: 3 });
    const stopped = await rowsOf(batchId);
    expect(stopped.map(({ status }) => status)).toEqual(['finished', 'failed', 'stopped', 'stopped', 'stopped']);
    expect(await findBatch(db.database(), batchId)).toMatchObject({ status: 'finished' });

    shop.sent.length = 0;
    expect(unwrap(await resumeBatch(shop, TESTER, batchId))).toEqual({ resumed: 4 });
    expect([...shop.sent].sort()).toEqual(runIds.slice(1).sort());
    expect(unwrap(await resumeBatch(shop, TESTER, batchId))).toEqual({ resumed: 0 });
    for (const runId of runIds) await performRun(testWorkerContext(shop), runId);
    const ended = await rowsOf(batchId);
    expect(ended.map(({ status }) => status)).toEqual(Array(5).fill('finished'));
    expect(ended[0]).toEqual(stopped[0]);
    expect(unwrap(await resumeBatch(shop, TESTER, batchId))).toEqual({ resumed: 0 });
  });

  test('refuses unknown batches and batches of imported runs', async () => {
    const shop = testContext(db.database());
    for (const act of [stopBatch, resumeBatch])
      expect(await act(shop, TESTER, UNKNOWN)).toMatchObject({ problem: { code: 'not_found' } });
    const { batchId } = await startedBatch(shop, 1);
    await db.database().prisma.experiment.updateMany({
      where: { batches: { some: { id: batchId } } },
      data: { origin: 'imported' },
    });
    expect(await resumeBatch(shop, TESTER, batchId)).toMatchObject({ problem: { code: 'conflict' } });
  });
});

describe('listVersionOutcomes', () => {
  test('groups outcomes by case and omits runs stopped before any score', async () => {
    const shop = testContext(db.database());
    const { id } = unwrap(await createExperiment(shop, TESTER, { name: 'Guides', ...PRACTICE_SUMS }));
    const input = { cases: ['a', 'b', 'c'].map((input) => ({ input, reference: input })), repetitions: 2 };
    const { runIds } = unwrap(await startBatch(shop, TESTER, id, input, { idempotencyKey: null, watched: false }));
    for (const [index, satisfied] of ['01', '1', '0', '0', '1', ''].entries())
      await db.database().prisma.run.update({
        where: { id: runIds[index] ?? '' },
        data: {
          status: satisfied === '' ? 'stopped' : 'finished',
          satisfied,
          bestScore: satisfied === '' ? null : 0.5,
          finishedAt: new Date(),
        },
      });
    // Two cases with equal outcomes and one with a single scored run: 3 of 5 runs in three clusters.
    expect(await listVersionOutcomes(db.database(), id)).toEqual([
      { version: 1, runs: 6, solved: summedShare({ met: 3, of: 5, clusters: 3, metMet: 5, metOf: 5, ofOf: 9 }) },
    ]);
  });
});

describe('remaining time of a batch', () => {
  const MINUTE = 60_000;
  const START = Date.UTC(2026, 10, 20, 12);
  const at = (minutes: number) => new Date(START + minutes * MINUTE);

  test.each([
    { name: 'is unknown before a run has ended', ends: [1, 2], resumed: null, remaining: 8, expected: null },
    { name: 'uses the runs that ended since the start', ends: [1, 2, 3, 4], resumed: null, remaining: 6, expected: 15 },
    {
      name: 'ignores runs that ended before it was resumed',
      ends: [1, 2, 3, 7, 8, 9],
      resumed: 6,
      remaining: 4,
      expected: 16 / 3,
    },
    { name: 'is null if nothing remains', ends: [1, 2, 3, 4], resumed: null, remaining: 0, expected: null },
  ])('$name', async ({ ends, resumed, remaining, expected }) => {
    const { batchId, runIds } = await startedBatch(testContext(db.database()), 10);
    await db.database().prisma.batch.update({
      where: { id: batchId },
      data: { createdAt: at(0), resumedAt: resumed === null ? null : at(resumed) },
    });
    for (const [index, minute] of ends.entries())
      await db.database().prisma.run.update({ where: { id: runIds[index] ?? '' }, data: { finishedAt: at(minute) } });
    const left = await findTimeLeft(db.database(), batchId, remaining, at(10));
    const middle = left === null ? null : Math.sqrt(left.lowestMs * left.highestMs) / MINUTE;
    if (expected === null) expect(left).toBeNull();
    else expect(middle).toBeCloseTo(expected, 3);
  });
});

test('reports that a batch does not exist if it is deleted before it is resumed', async () => {
  const shop = testContext(db.database());
  const { batchId } = await startedBatch(shop, 1);
  unwrap(await stopBatch(shop, TESTER, batchId));
  const { experimentId } = await db.database().prisma.batch.findUniqueOrThrow({ where: { id: batchId } });
  const remove = () => deleteExperiment(shop, TESTER, experimentId);
  expect(
    await resumeBatch({ ...shop, database: beforeTransaction(db.database(), remove) }, TESTER, batchId),
  ).toMatchObject({
    ok: false,
    problem: { code: 'not_found' },
  });
});
