import { expect, test } from 'vitest';
import { PRACTICE_WRITING, queuedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { listRuns } from './list-runs.ts';
import { makeSearchable } from './run-measures.ts';

const db = useTestDatabase();

test('finds queued and ended runs by words of their input, and any run by its number', async () => {
  const database = db.database();
  const context = testContext(database);
  const ended = await queuedRun(context, PRACTICE_WRITING, { input: 'Explain the refund policy' });
  await performRun(testWorkerContext(context), ended);
  await makeSearchable(context, new AbortController().signal);
  const queued = await queuedRun(context, PRACTICE_WRITING, { input: 'Explain another refund' });
  const found = async (text: string) => (await listRuns(database, { text, cursor: null, limit: 10 })).items;
  expect((await found('REFU')).map(({ id }) => id)).toEqual([queued, ended]);
  expect((await found('policy refund')).map(({ id }) => id)).toEqual([ended]);
  expect(await found('harbour')).toEqual([]);
  const [newest] = await found('another');
  expect((await found(`#${newest?.number}`)).map(({ id }) => id)).toContain(queued);
});
