import { z } from 'zod';
import { LESSON_KINDS, LESSON_STATUSES } from '#lib/core/lesson-kinds.ts';
import { archiveYearOf, LESSON_ADMISSIONS, type LessonBrief, type LessonListItem } from '#lib/core/lesson-library.ts';
import { isRefuted } from './is-refuted.ts';

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
