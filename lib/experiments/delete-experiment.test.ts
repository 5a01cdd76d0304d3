import { expect, test } from 'vitest';
import { interruptible } from '#lib/live/interrupt.ts';
import { followRun } from '#lib/live/live.ts';
import { PRACTICE_WRITING, queuedRun, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { deleteExperiment } from './delete-experiment.ts';

const { database } = useTestDatabase();

test('aborts the model calls of its runs, and notifies those who follow them', async () => {
  const context = testContext(database());
  const runId = await queuedRun(context, PRACTICE_WRITING, { input: 'Explain tides.' });
  const { experimentId } = await database().prisma.run.update({ where: { id: runId }, data: { status: 'running' } });
  const call = interruptible(runId, new AbortController().signal);
  let notices = 0;
  const stop = followRun(runId, { onEvents: () => notices++, onText: () => undefined });
  unwrap(await deleteExperiment(context, TESTER, experimentId));
  await expect.poll(() => [call.signal().aborted, notices]).toEqual([true, 1]);
  stop();
  call.close();
});
