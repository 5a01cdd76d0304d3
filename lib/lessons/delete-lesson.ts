import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { formatTitle } from '#lib/format.ts';
import { type DeletedLesson, deleteStoredLesson, isRunUnderWay } from './delete-stored-lesson.ts';
import { loadLesson } from './load-lesson.ts';
import { renewSources } from './renew-sources.ts';
import { noLesson } from './review-lesson.ts';

/**
 * Deletes a lesson for good, with all that hangs on it, which the answer counts. One that a run still builds on can't go before the run
 * has ended. Prompts that were sent with it stay in the records of their runs.
 */
export async function deleteLesson(
  { database }: AppContext,
  actor: Actor,
  lessonId: string,
): Promise<Result<{ deleted: DeletedLesson }>> {
  let left: string | null = null;
  const result = await inTransaction(database, async (client): Promise<Result<{ deleted: DeletedLesson }>> => {
    const lesson = await loadLesson(client, lessonId, { lock: true });
    if (lesson === null) return noLesson(lessonId);
    const { runId, step } = lesson;
    // Step 0: a person or a look back wrote it, the run itself does not know of it.
    if (runId !== null && step > 0 && (await isRunUnderWay(client, runId)))
      return fail(
        'conflict',
        'The run that wrote it is still under way and builds on it. Stop the run, or wait for its end.',
      );
    left = lesson.mergedIntoId;
    const deleted = await deleteStoredLesson(client, lessonId);
    await recordChange(client, actor, {
      act: 'deleted',
      subject: { kind: 'lesson', id: lessonId, name: formatTitle(lesson.text, 80) },
    });
    return succeed({ deleted });
  });
  if (left !== null) await renewSources(database, left);
  return result;
}
