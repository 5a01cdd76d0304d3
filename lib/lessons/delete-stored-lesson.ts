import type pg from 'pg';
import { z } from 'zod';

/** How many of each kind hung on a lesson. `merged`: lessons it spoke for, which stay where they are, archived. */
export type DeletedLesson = {
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
export async function deleteStoredLesson(client: pg.PoolClient, lessonId: string): Promise<DeletedLesson> {
  const { rows } = await client.query<Record<string, unknown>>(COUNT, [lessonId]);
  const counts = countRow.parse(rows[0]);
  const { rowCount } = await client.query('DELETE FROM lessons WHERE id = $1', [lessonId]);
  return { lessons: rowCount ?? 0, ...counts };
}

/** Whether a run is still under way, so that it needs the lessons it wrote. */
export async function isRunUnderWay(client: pg.PoolClient, runId: string): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT 1 FROM runs WHERE id = $1 AND status IN ('queued', 'running', 'waiting')",
    [runId],
  );
  return rows.length > 0;
}
