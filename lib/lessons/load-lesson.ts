import { z } from 'zod';
import { CONTRIBUTION_KINDS } from '#lib/audit/contributions.ts';
import { LESSON_KINDS, LESSON_STATUSES } from '#lib/core/lesson-kinds.ts';
import { LESSON_ADMISSIONS, type LessonCheck } from '#lib/core/lesson-library.ts';
import type { Queryable } from '#lib/database/database.ts';
import { listChecks } from './lesson-checks.ts';
import { fieldsSchema } from './lesson-rows.ts';

const lessonRow = z
  .object({
    id: z.string(),
    kind: z.enum(LESSON_KINDS),
    status: z.enum(LESSON_STATUSES),
    admission: z.enum(LESSON_ADMISSIONS),
    text: z.string(),
    fields: fieldsSchema,
    agent: z.string().nullable(),
    taskType: z.string().nullable(),
    tools: z.array(z.string()),
    block: z.string(),
    runId: z.string().nullable(),
    step: z.int(),
    sourceInput: z.string(),
    authorId: z.string().nullable(),
    authors: z.record(z.string(), z.enum(CONTRIBUTION_KINDS)),
    mergedIntoId: z.string().nullable(),
    reviewedBy: z.string().nullable(),
    reviewedAt: z.date().nullable(),
  })
  .transform(({ agent, taskType, tools, reviewedAt, ...rest }) => ({
    ...rest,
    scope: { agent, taskType, tools },
    reviewedAt: reviewedAt?.toISOString() ?? null,
  }));

const LESSON = `SELECT id, kind, status, admission, text, fields, agent, task_type AS "taskType", coalesce(tools, '{}') AS tools, block, run_id AS "runId", step,
  source_input AS "sourceInput", author_id AS "authorId", authors, merged_into_id AS "mergedIntoId", reviewed_by AS "reviewedBy", reviewed_at AS "reviewedAt"
  FROM lessons WHERE id = $1`;

const COUNTS = `SELECT (SELECT coalesce(json_agg(json_build_object('actor', actor, 'actorId', actor_id) ORDER BY number), '[]') FROM lesson_edits WHERE lesson_id = $1) AS editors,
  (SELECT count(*)::int FROM lesson_reviews WHERE lesson_id = $1) AS "reviewCount"`;

const countsRow = z.object({
  editors: z.array(z.object({ actor: z.string(), actorId: z.string().nullable() })),
  reviewCount: z.int(),
});

/** A lesson as those need it who change it. `editors`: who made each edit, in their order. */
export type LoadedLesson = z.output<typeof lessonRow> &
  z.output<typeof countsRow> & { editCount: number; checks: LessonCheck[] };

/** Reads a lesson to change it; null when there is no such lesson. `lock`, inside a transaction, keeps all others from changing it. */
export async function loadLesson(
  connection: Queryable,
  lessonId: string,
  { lock }: { lock: boolean },
): Promise<LoadedLesson | null> {
  const found = await connection.query<Record<string, unknown>>(`${LESSON}${lock ? ' FOR UPDATE' : ''}`, [lessonId]);
  if (found.rows[0] === undefined) return null;
  // Only once the lock is held do the other tables say how things stand.
  const counted = await connection.query<Record<string, unknown>>(COUNTS, [lessonId]);
  const counts = countsRow.parse(counted.rows[0]);
  const checks = await listChecks(connection, lessonId);
  return { ...lessonRow.parse(found.rows[0]), ...counts, editCount: counts.editors.length, checks };
}
