import { expect, test } from 'vitest';
import { PRACTICE_SUMS, queuedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { findRun, findRunLessons } from './queries.ts';

const db = useTestDatabase();

test('returns recalled lessons by prompt and rank, and all lessons the run wrote', async () => {
  const context = testContext(db.database());
  const runId = await queuedRun(context, PRACTICE_SUMS, { input: 'What is 17 * 23 + 5?', reference: '396' });
  await performRun(testWorkerContext(context), runId);
  const record = (await findRun(db.database(), runId))?.record;
  const { recalled, written } = await findRunLessons(db.database(), runId);
  expect(written.length).toBeGreaterThan(0);
  expect(written.map(({ id, text, version }) => [id, text, version])).toEqual(
    record?.lessons.map(({ id, text, version }) => [id, text, version]),
  );
  expect(recalled.map(({ version, rank, lessonId }) => [version, rank, lessonId])).toEqual(
    record?.versions.flatMap(({ number, recalledLessons }) =>
      recalledLessons.map(({ rank, lessonId }) => [number, rank, lessonId]),
    ),
  );
  expect(
    recalled.every(({ isOwn, text, lessonId }) => isOwn && text === written.find(({ id }) => id === lessonId)?.text),
  ).toBe(true);
});

test('returns no lessons for an unknown run', async () => {
  const none = await findRunLessons(db.database(), '00000000-0000-4000-8000-000000000000');
  expect(none).toEqual({ recalled: [], written: [] });
});
