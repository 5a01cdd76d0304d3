import { z } from 'zod';
import { LESSON_KINDS, LESSON_STATUSES, type LessonKind, type LessonStatus } from '#lib/core/lesson-schema.ts';
import type { Database } from '#lib/database/database.ts';
import { yearBounds } from '#lib/database/query-values.ts';
import { fieldsSchema } from './load-lesson.ts';

const AT_ONCE = 500;

/** $1, $2 the creation and id of the last one seen, or null; $3 kind and $4 status, or null; $5 how many; $6, $7 written from and before, or null. */
export const NEXT_LESSONS = `
  SELECT id, kind, status, text, fields, block, agent, task_type AS "taskType", coalesce(tools, '{}') AS tools,
    CASE WHEN run_id IS NOT NULL AND admission IN ('waiting', 'staged') THEN '' ELSE source_input END AS "sourceInput", source_score AS "sourceScore",
    created_by AS "createdBy", created_at AS "createdAt"
  FROM lessons
  WHERE ($1::timestamptz IS NULL OR (created_at <= $1 AND (created_at < $1 OR id > $2::uuid)))
    AND ($3::text IS NULL OR kind = $3) AND ($4::text IS NULL OR status = $4)
    AND ($6::timestamptz IS NULL OR created_at >= $6) AND ($7::timestamptz IS NULL OR created_at < $7)
  ORDER BY created_at DESC, id LIMIT $5`;

const row = z.object({
  id: z.string(),
  kind: z.enum(LESSON_KINDS),
  status: z.enum(LESSON_STATUSES),
  text: z.string(),
  fields: fieldsSchema,
  block: z.string(),
  agent: z.string().nullable(),
  taskType: z.string().nullable(),
  tools: z.array(z.string()),
  sourceInput: z.string(),
  sourceScore: z.number().nullable(),
  createdBy: z.string(),
  createdAt: z.date(),
});

/** A lesson without its id, effects and reviews: what another library can use of it. */
export type WalkedLesson = Omit<z.output<typeof row>, 'id' | 'createdAt'> & { createdAt: string };

/**
 * All lessons of the library, newest first, read a few hundred at a time; null: of whatever kind, status or year. The input that a run's lesson
 * was learned from is left out until it was redacted.
 */
export async function* walkLessons(
  { pool }: Pick<Database, 'pool'>,
  { kind, status, year }: { kind: LessonKind | null; status: LessonStatus | null; year: number | null },
): AsyncGenerator<WalkedLesson> {
  const bounds = year === null ? null : yearBounds(year);
  let last: z.output<typeof row> | undefined;
  do {
    const { rows } = await pool.query<Record<string, unknown>>(NEXT_LESSONS, [
      last?.createdAt ?? null,
      last?.id ?? null,
      kind,
      status,
      AT_ONCE,
      bounds?.from ?? null,
      bounds?.to ?? null,
    ]);
    const lessons = z.array(row).parse(rows);
    for (const { id: _id, createdAt, ...lesson } of lessons) yield { ...lesson, createdAt: createdAt.toISOString() };
    last = lessons.length < AT_ONCE ? undefined : lessons.at(-1);
  } while (last !== undefined);
}
