import type pg from 'pg';
import { z } from 'zod';
import type { LessonAdmission, LessonFields } from '#lib/core/lesson-library.ts';
import { LESSON_STATUSES, type LessonStatus } from '#lib/core/lesson-schema.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanText, storableJson } from '#lib/database/query-values.ts';
import { repeatQuery } from './find-repeat.ts';
import type { LoadedLesson } from './load-lesson.ts';

/** $1 how many. */
export const LESSONS_TO_ADMIT =
  "SELECT id FROM lessons WHERE admission = 'waiting' AND status = 'candidate' ORDER BY created_at, id DESC LIMIT $1";

/** Lessons that wait for the worker, longest ago first. Costs the same however many lessons there are. */
export async function lessonsToAdmit({ pool }: Pick<Database, 'pool'>, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'lessons-to-admit',
    text: LESSONS_TO_ADMIT,
    values: [limit],
  });
  return rows.map(({ id }) => id);
}

/** One at a time may look for repeats and admit, over all workers: of two new lessons that say the same one must see the other. */
export async function takeTurnToAdmit(client: pg.PoolClient): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtext('hone:admit-lessons'))");
}

/** Most lessons that a new one is compared with. */
const MOST_LIKELY = 50;

/** $1 a text query, $2 the text, $3 kind, $4 agent, $5 type of task, $6 block, $7 the lesson itself. */
export const LIKELY_REPEATS = `
  SELECT id, text, status FROM lessons
  WHERE (search @@ $1::tsquery OR text = $2) AND kind = $3 AND (agent IS NULL OR agent = $4)
    AND (task_type IS NULL OR task_type = $5) AND block = $6 AND id <> $7::uuid AND admission = 'admitted' AND merged_into_id IS NULL
    AND (status <> 'archived' OR reviewed_at IS NOT NULL)
  ORDER BY (text = $2) DESC, ts_rank(search, $1::tsquery) DESC, created_at, id LIMIT ${MOST_LIKELY}`;

const likelyRow = z.object({ id: z.string(), text: z.string(), status: z.enum(LESSON_STATUSES) });

/**
 * The lessons that may say the same as a new one, most alike in words first: admitted ones of its kind and block whose scope holds the
 * new one's. Those that a person put away count: what was refused once need not be looked at again. Those that retention put away don't.
 * `shares` is how common words are (`termStatistics`).
 */
export async function likelyRepeats(
  client: pg.PoolClient,
  lesson: LoadedLesson,
  shares: ReadonlyMap<string, number>,
): Promise<{ id: string; text: string; status: LessonStatus }[]> {
  const words = await client.query<{ lexeme: string }>(
    "SELECT lexeme FROM unnest(to_tsvector('english', $1)) WHERE length(lexeme) < 500",
    [lesson.text],
  );
  const { rows } = await client.query<Record<string, unknown>>(LIKELY_REPEATS, [
    repeatQuery(
      words.rows.map(({ lexeme }) => lexeme),
      shares,
    ),
    lesson.text,
    lesson.kind,
    lesson.scope.agent,
    lesson.scope.taskType,
    lesson.block,
    lesson.id,
  ]);
  return z.array(likelyRow).parse(rows);
}

/** What becomes of a lesson on its way; its row must be locked by the caller. */
export async function placeLesson(
  client: pg.PoolClient,
  lessonId: string,
  place: { status: LessonStatus; admission: LessonAdmission; mergedIntoId: string | null },
): Promise<void> {
  await client.query('UPDATE lessons SET status = $2, admission = $3, merged_into_id = $4 WHERE id = $1', [
    lessonId,
    place.status,
    place.admission,
    place.mergedIntoId,
  ]);
}

/** Another text for a lesson: what was computed from the old one goes. Its row must be locked by the caller. */
export async function rewriteLesson(
  client: pg.PoolClient,
  lessonId: string,
  { text, fields, sourceInput }: { text: string; fields: LessonFields; sourceInput: string },
): Promise<void> {
  await client.query('UPDATE lessons SET text = $2, fields = $3, source_input = $4 WHERE id = $1', [
    lessonId,
    cleanText(text),
    storableJson(fields),
    cleanText(sourceInput),
  ]);
  await client.query('DELETE FROM lesson_embeddings WHERE lesson_id = $1', [lessonId]);
}
