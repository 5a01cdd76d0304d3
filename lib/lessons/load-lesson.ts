import { z } from 'zod';
import { CONTRIBUTION_KINDS } from '#lib/audit/contributions.ts';
import {
  archiveYearOf,
  LESSON_ADMISSIONS,
  type LessonBrief,
  type LessonCheck,
  type LessonListItem,
} from '#lib/core/lesson-library.ts';
import { LESSON_KINDS, LESSON_STATUSES } from '#lib/core/lesson-schema.ts';
import type { Queryable } from '#lib/database/database.ts';
import { listChecks } from './lesson-checks.ts';
import { isRefuted } from './lesson-review.ts';

/** Uses of a lesson are counted no further than this. */
const MOST_USES = 1_000;

const BRIEF_COLUMNS = `l.id, l.kind, l.status, l.text, l.run_id AS "runId", l.version, l.source_input AS "sourceInput",
  l.source_score AS "sourceScore", l.created_by AS "createdBy", l.created_at AS "createdAt",
  (SELECT v.iteration FROM reflection_versions v WHERE v.run_id = l.run_id AND v.number = l.version) AS iteration`;

/** Columns of a lesson in a list; `l` = lessons. */
export const LESSON_COLUMNS = `${BRIEF_COLUMNS}, l.admission, l.fields, l.agent, l.task_type AS "taskType", coalesce(l.tools, '{}') AS tools, l.block,
  l.merged_into_id AS "mergedIntoId", l.helpful, l.harmful, l.neutral, l.last_used_at AS "lastUsedAt", l.reviewed_by AS "reviewedBy",
  l.reviewed_at AS "reviewedAt",
  (SELECT count(*)::int FROM (SELECT 1 FROM recalls k WHERE k.lesson_id = l.id LIMIT ${MOST_USES}) u) AS used`;

/** Columns of a lesson that another one is shown with; `l` = lessons. */
export const LESSON_BRIEF_COLUMNS = BRIEF_COLUMNS;

const date = z.date().transform((value) => value.toISOString());
export const fieldsSchema = z.record(z.string(), z.string());

const briefShape = {
  id: z.string(),
  kind: z.enum(LESSON_KINDS),
  status: z.enum(LESSON_STATUSES),
  text: z.string(),
  runId: z.string().nullable(),
  version: z.int().nullable(),
  iteration: z.int().nullable(),
  sourceInput: z.string(),
  sourceScore: z.number().nullable(),
  createdBy: z.string(),
  createdAt: date,
};
type BriefRow = z.output<z.ZodObject<typeof briefShape>>;

export const lessonBriefRow = z.object(briefShape).transform((row): LessonBrief => {
  const { id, kind, status, text, createdBy, createdAt } = row;
  return { id, kind, status, text, createdBy, createdAt, source: sourceOf(row) };
});

export const lessonListRow = z
  .object({
    ...briefShape,
    admission: z.enum(LESSON_ADMISSIONS),
    fields: fieldsSchema,
    agent: z.string().nullable(),
    taskType: z.string().nullable(),
    tools: z.array(z.string()),
    block: z.string(),
    mergedIntoId: z.string().nullable(),
    used: z.int(),
    helpful: z.int(),
    harmful: z.int(),
    neutral: z.int(),
    lastUsedAt: date.nullable(),
    reviewedBy: z.string().nullable(),
    reviewedAt: date.nullable(),
  })
  .transform((row): LessonListItem => {
    const { runId, version, iteration, sourceInput, sourceScore, agent, taskType, tools, ...rest } = row;
    return {
      ...rest,
      scope: { agent, taskType, tools },
      source: { runId, version, iteration, input: sourceInput, score: sourceScore },
      isRefuted: row.status === 'promoted' && isRefuted(row),
      archiveYear: archiveYearOf(row),
    };
  });

function sourceOf({ runId, version, iteration, sourceInput, sourceScore }: BriefRow): LessonBrief['source'] {
  return { runId, version, iteration, input: sourceInput, score: sourceScore };
}

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
