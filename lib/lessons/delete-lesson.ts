import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, notStored, succeed } from '#lib/core/problem.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { formatTitle } from '#lib/format.ts';
import { loadLesson } from './load-lesson.ts';
import { renewSources } from './write-queries.ts';

/**
 * Permanently deletes a lesson and all dependent records, and returns the number of each kind (`merged`: lessons merged into it, which stay
 * archived). Fails if a run in progress still uses it. Runs keep what they wrote and the lessons in their prompts.
 */
export async function deleteLesson({ database }: AppContext, actor: Actor, lessonId: string) {
  let left: string | null = null;
  const result = await inTransaction(database, async (transaction) => {
    const lesson = await loadLesson(transaction, lessonId, { lock: true });
    if (lesson === null) return notStored('lesson', lessonId);
    const { runId, step } = lesson;
    // Step 0: written by a person or a look back, so the run does not use it.
    if (runId !== null && step > 0 && (await isRunUnderWay(transaction, runId)))
      return fail(
        'conflict',
        'The run that wrote it is still in progress and uses it. Stop the run, or wait until it has ended.',
      );
    left = lesson.mergedIntoId;
    const where = { lessonId };
    const dependent = {
      edits: await transaction.lessonEdit.count({ where }),
      checks: await transaction.lessonCheck.count({ where }),
      reviews: await transaction.lessonReview.count({ where }),
      comments: await transaction.lessonComment.count({ where }),
      recalls: await transaction.recall.count({ where }),
      trials: await transaction.lessonTrial.count({ where }),
      merged: await transaction.lesson.count({ where: { mergedIntoId: lessonId } }),
    };
    const { count: lessons } = await transaction.lesson.deleteMany({ where: { id: lessonId } });
    await recordChange(transaction, actor, {
      act: 'deleted',
      subject: { kind: 'lesson', id: lessonId, name: formatTitle(lesson.text, 80) },
    });
    return succeed({ deleted: { lessons, ...dependent } });
  });
  if (left !== null) await renewSources(database, left);
  return result;
}

/** Returns true if a run has not ended, so that it still needs the lessons it wrote. */
async function isRunUnderWay(transaction: Transaction, runId: string): Promise<boolean> {
  const where = { id: runId, status: { in: ['queued', 'running', 'waiting'] } };
  return (await transaction.run.count({ where })) > 0;
}
