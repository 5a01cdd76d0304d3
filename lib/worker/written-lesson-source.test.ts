import { expect, test } from 'vitest';
import { lessonOf } from '#lib/lessons/test-texts/stored-lesson.test-support.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { PRACTICE_SUMS, queuedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();

test('a lesson stores its run, attempt, score and the first 200 characters of the input', async () => {
  const context = testContext(db.database());
  const input = `What is 11 + 21 × 6? Answer as Finish[number]. ${'Take your time. '.repeat(20)}`;
  const runId = await queuedRun(context, { ...PRACTICE_SUMS, maxAttempts: 3 }, { input, reference: '0' });
  await performRun(testWorkerContext(context), runId);
  const written = (await loadRun(db.database(), runId))?.history.lessons ?? [];
  expect(written.map(({ version }) => version)).toEqual([0, 1]);
  for (const { id, version } of written) {
    const { source } = await lessonOf(db.database(), id);
    expect(source).toEqual({ runId, version, iteration: version, input: input.slice(0, 200), score: 0 });
  }
});
