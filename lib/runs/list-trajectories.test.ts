import { expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { PRACTICE_SUMS, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { listRuns, listTrajectories } from './list-runs.ts';

const db = useTestDatabase();

async function startedBatch(cases: { input: string; criteria?: object }[], repetitions: number) {
  const context = testContext(db.database());
  const { id } = unwrap(await createExperiment(context, TESTER, { name: 'Trajectories', ...PRACTICE_SUMS }));
  const options = { idempotencyKey: null, watched: false };
  const withReferences = cases.map((one) => ({ reference: '3', ...one }));
  return unwrap(await startBatch(context, TESTER, id, { cases: withReferences, repetitions }, options));
}

async function drawn(batchId: string) {
  const { items } = await listRuns(db.database(), { batchId, cursor: null, limit: 10 });
  return listTrajectories(db.database(), items);
}

test('returns the same case key for runs of one case, and others for other cases', async () => {
  const { batchId } = await startedBatch([{ input: '1 + 2' }, { input: '2 + 1' }], 2);
  const keys = (await drawn(batchId)).map(({ caseKey }) => caseKey);
  expect(keys).toHaveLength(4);
  expect(keys[0]).toBe(keys[1]);
  expect(keys[2]).toBe(keys[3]);
  expect(new Set(keys).size).toBe(2);
});

test('leaves out branches if there are other runs', async () => {
  const { batchId, runIds } = await startedBatch([{ input: '1 + 2' }, { input: '2 + 1' }], 1);
  const { prisma } = db.database();
  await prisma.run.update({ where: { id: runIds[0] ?? '' }, data: { branchedVersion: 0 } });
  expect((await drawn(batchId)).map(({ id }) => id)).toEqual([runIds[1]]);
  await prisma.run.update({ where: { id: runIds[1] ?? '' }, data: { branchedVersion: 0 } });
  expect(await drawn(batchId)).toHaveLength(2);
});
