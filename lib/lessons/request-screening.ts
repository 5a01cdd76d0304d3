import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { formatTitle } from '#lib/format.ts';
import { admitLesson, placeLesson } from './admit-lessons.ts';
import { loadLesson } from './load-lesson.ts';
import { noLesson, type ReviewedLesson } from './review-lesson.ts';

/** Screens and admits at once a lesson that was staged, or that waits for the worker. Answers where it stands then. */
export async function requestScreening(
  context: AppContext,
  actor: Actor,
  lessonId: string,
): Promise<Result<ReviewedLesson>> {
  const { database } = context;
  const released = await inTransaction(database, async (transaction) => {
    const lesson = await loadLesson(transaction, lessonId, { lock: true });
    if (lesson === null) return noLesson(lessonId);
    const { status, admission } = lesson;
    if (status !== 'candidate' || admission === 'held' || admission === 'admitted')
      return fail('conflict', `It is ${status} and was screened already: its page shows what was found.`);
    await placeLesson(transaction, lessonId, { status, admission: 'waiting', mergedIntoId: null });
    await recordChange(transaction, actor, {
      act: 'requested',
      subject: { kind: 'lesson', id: lessonId, name: formatTitle(lesson.text, 80) },
      change: { what: 'screening' },
    });
    return succeed(null);
  });
  if (!released.ok) return released;
  await admitLesson(context, lessonId);
  const lesson = await loadLesson(database.prisma, lessonId, { lock: false });
  if (lesson === null) return noLesson(lessonId);
  return succeed({ id: lessonId, status: lesson.status, admission: lesson.admission });
}
