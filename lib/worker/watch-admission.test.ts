import { expect, test, vi } from 'vitest';
import { lessonOf, storeLesson } from '#lib/lessons/test-texts/stored-lesson.test-support.ts';
import { testContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { watchAdmission } from './watch-admission.ts';

const db = useTestDatabase();
const statusOf = async (id: string) => (await lessonOf(db.database(), id)).status;

test('admits lessons soon after they are stored, until stopped', async () => {
  const stop = watchAdmission(testContext(db.database()), 10);
  const first = await storeLesson(db.database(), { text: 'Count twice.' });
  await vi.waitFor(async () => expect(await statusOf(first)).toBe('quarantined'), 5_000);
  const second = await storeLesson(db.database(), { text: 'Open with the result.' });
  await vi.waitFor(async () => expect(await statusOf(second)).toBe('quarantined'), 5_000);
  await stop();
  const third = await storeLesson(db.database(), { text: 'Name the reader.' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await statusOf(third)).toBe('candidate');
});
