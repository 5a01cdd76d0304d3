import type pg from 'pg';
import type { LessonAdmission, LessonFields, LessonScope } from '#lib/core/lesson-library.ts';
import type { LessonKind } from '#lib/core/lesson-schema.ts';
import { storableJson } from '#lib/database/query-values.ts';
import type { NewCheck } from './lesson-checks.ts';

/** A lesson that no run wrote, already redacted. */
export type NewLesson = {
  id: string;
  kind: LessonKind;
  admission: LessonAdmission;
  text: string;
  fields: LessonFields;
  scope: LessonScope;
  block: string;
  runId: string | null;
  version: number | null;
  sourceInput: string;
  sourceScore: number | null;
  createdBy: string;
  /** Who must not promote it, where others can. */
  authorId: string;
  createdAt: string;
  checks: NewCheck[];
};

const INSERT = `
  INSERT INTO lessons (id, kind, status, admission, text, fields, block, agent, task_type, tools, run_id, version, source_input, source_score,
    created_by, author_id, created_at)
  SELECT v.id, v.kind, 'candidate', v.admission, v.text, v.fields, v.block, v.agent, v."taskType", v.tools, v."runId", v.version, v."sourceInput",
    v."sourceScore", v."createdBy", v."authorId", v."createdAt"
  FROM json_to_recordset($1::json) AS v(id uuid, kind text, admission text, text text, fields jsonb, block text, agent text, "taskType" text, tools text[],
    "runId" uuid, version int, "sourceInput" text, "sourceScore" float8, "createdBy" text, "authorId" text, "createdAt" timestamptz)`;

const INSERT_CHECKS = `
  INSERT INTO lesson_checks (lesson_id, number, edit, kind, outcome, result, created_at)
  SELECT c."lessonId", c.number, c.edit, c.kind, c.outcome, c.result, c."createdAt"
  FROM json_to_recordset($1::json) AS c("lessonId" uuid, number int, edit int, kind text, outcome text, result jsonb, "createdAt" timestamptz)`;

/** Keeps lessons as candidates, with the checks they went through on the way in. */
export async function insertLessons(client: pg.PoolClient, lessons: readonly NewLesson[]): Promise<void> {
  await client.query(INSERT, [storableJson(lessons.map(({ checks, scope, ...lesson }) => ({ ...lesson, ...scope })))]);
  const checks = lessons.flatMap((lesson) =>
    lesson.checks.map(({ edit, kind, outcome, createdAt, ...result }, number) => {
      return { lessonId: lesson.id, number, edit, kind, outcome, createdAt, result };
    }),
  );
  await client.query(INSERT_CHECKS, [storableJson(checks)]);
}

/** Imports go one after another: of two with the same lessons the second one finds them there. */
export async function takeTurnToImport(client: pg.PoolClient): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtext('hone:import-lessons'))");
}

/** What makes a lesson the same one in another library. */
export type LessonIdentity = Pick<NewLesson, 'kind' | 'text' | 'block'> & Pick<LessonScope, 'agent' | 'taskType'>;

/** $1 identities as a JSON list. */
export const PRESENT_LESSONS = `
  SELECT i.place FROM json_to_recordset($1::json) AS i(place int, kind text, text text, block text, agent text, "taskType" text)
  WHERE EXISTS (
    SELECT 1 FROM lessons l WHERE l.text = i.text AND l.kind = i.kind AND l.block = i.block
      AND l.agent IS NOT DISTINCT FROM i.agent AND l.task_type IS NOT DISTINCT FROM i."taskType")`;

/** Which of these lessons are in the library already, whatever became of them there: their places in the list. */
export async function presentLessons(
  client: pg.PoolClient,
  identities: readonly LessonIdentity[],
): Promise<Set<number>> {
  const records = identities.map(({ kind, text, block, agent, taskType }, place) => {
    return { place, kind, text, block, agent, taskType };
  });
  const { rows } = await client.query<{ place: number }>(PRESENT_LESSONS, [storableJson(records)]);
  return new Set(rows.map(({ place }) => place));
}
