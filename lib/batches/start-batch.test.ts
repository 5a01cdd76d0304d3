import { expect, test } from 'vitest';
import { updateDataset } from '#lib/datasets/update-dataset.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import { PRACTICE_WRITING, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { startBatch } from './start-batch.ts';

const { database } = useTestDatabase();

test('rejects a dataset whose cases were all removed', async () => {
  const context = testContext(database());
  const { id } = unwrap(await createExperiment(context, TESTER, { name: 'Guides', ...PRACTICE_WRITING }));
  const cases = [{ input: 'Explain tides.' }];
  const { id: datasetId } = unwrap(await createDataset(context, TESTER, { name: 'Emptied', cases }));
  unwrap(await updateDataset(context, TESTER, datasetId, { remove: [1] }));
  const started = await startBatch(context, TESTER, id, { datasetId }, { idempotencyKey: null, watched: false });
  expect(started).toMatchObject({ ok: false, problem: { code: 'invalid', field: 'datasetId' } });
  expect(await database().prisma.batch.count()).toBe(0);
});
