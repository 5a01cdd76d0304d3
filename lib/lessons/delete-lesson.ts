import type pg from 'pg';
import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import { formatTitle } from '#lib/format.ts';
import { loadLesson } from './load-lesson.ts';
import { noLesson, renewSources } from './review-lesson.ts';

/** How many of each kind hung on a lesson. `merged`: lessons it spoke for, which stay where they are, archived. */
type DeletedLesson = {
  lessons: number;
  edits: number;
  checks: number;
  reviews: number;
  comments: number;
  recalls: number;
  trials: number;
  merged: number;
};

const COUNT = `
  SELECT (SELECT count(*)::int FROM lesson_edits WHERE lesson_id = $1) AS edits, (SELECT count(*)::int FROM lesson_checks WHERE lesson_id = $1) AS checks,
    (SELECT count(*)::int FROM lesson_reviews WHERE lesson_id = $1) AS reviews, (SELECT count(*)::int FROM lesson_comments WHERE lesson_id = $1) AS comments,
    (SELECT count(*)::int FROM recalls WHERE lesson_id = $1) AS recalls, (SELECT count(*)::int FROM lesson_trials WHERE lesson_id = $1) AS trials,
    (SELECT count(*)::int FROM lessons WHERE merged_into_id = $1) AS merged`;

const countRow = z.object({
  edits: z.int(),
  checks: z.int(),
  reviews: z.int(),
  comments: z.int(),
  recalls: z.int(),
  trials: z.int(),
  merged: z.int(),
});

/** Deletes a lesson, whose row the caller has locked, with all that hangs on it. Runs keep what they wrote and were told. */
async function deleteStoredLesson(client: pg.PoolClient, lessonId: string): Promise<DeletedLesson> {
  const { rows } = await client.query<Record<string, unknown>>(COUNT, [lessonId]);
  const counts = countRow.parse(rows[0]);
  const { rowCount } = await client.query('DELETE FROM lessons WHERE id = $1', [lessonId]);
  return { lessons: rowCount ?? 0, ...counts };
}

/** Whether a run is still under way, so that it needs the lessons it wrote. */
async function isRunUnderWay(client: pg.PoolClient, runId: string): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT 1 FROM runs WHERE id = $1 AND status IN ('queued', 'running', 'waiting')",
    [runId],
  );
  return rows.length > 0;
}

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
  const result = await inPoolTransaction(database, async (client): Promise<Result<{ deleted: DeletedLesson }>> => {
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
