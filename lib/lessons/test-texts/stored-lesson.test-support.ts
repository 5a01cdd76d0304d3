import { randomUUID } from 'node:crypto';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import type { LessonAdmission, LessonKind, LessonStatus } from '#lib/core/lesson-schema.ts';
import type { Database } from '#lib/database/database.ts';
import { findLesson } from '#lib/lessons/queries.ts';

type Written = {
  id: string;
  kind: LessonKind;
  status: LessonStatus;
  admission: LessonAdmission;
  text: string;
  fields: Record<string, string>;
  block: string;
  agent: string | null;
  taskType: string | null;
  runId: string | null;
  sourceInput: string;
  createdAt: Date;
  helpful: number;
  harmful: number;
};

const INSERT = `
  INSERT INTO lessons (id, kind, status, admission, text, fields, block, agent, task_type, tools, run_id, step, source_input, created_by, created_at,
    helpful, harmful)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '{}', $10, 1, $11, 'practice/practice-1', $12, $13, $14)`;

/** Stores a lesson as written by a run, or with the given changes. Returns its id. */
export async function storeLesson({ pool }: Database, given: Partial<Written> = {}): Promise<string> {
  const lesson: Written = {
    id: randomUUID(),
    kind: 'lesson',
    status: 'candidate',
    admission: 'waiting',
    text: 'Name the unit of every number before you compare two of them.',
    fields: {},
    block: 'reflexion_lessons',
    agent: 'default',
    taskType: null,
    runId: null,
    sourceInput: '',
    createdAt: new Date(),
    helpful: 0,
    harmful: 0,
    ...given,
  };
  const { id, kind, status, admission, text, fields, block, agent, taskType, runId, sourceInput, createdAt } = lesson;
  await pool.query(INSERT, [
    ...[id, kind, status, admission, text, fields, block, agent, taskType, runId, sourceInput, createdAt],
    ...[lesson.helpful, lesson.harmful],
  ]);
  return id;
}

/** Returns a lesson. Throws if it does not exist. */
export async function lessonOf(database: Database, lessonId: string): Promise<LessonDetail> {
  const lesson = await findLesson(database, lessonId);
  if (lesson === null) throw new Error(`there is no lesson ${lessonId}`);
  return lesson;
}

/** Deletes all lessons of a test's database. */
export async function deleteAllLessons({ pool }: Database): Promise<void> {
  await pool.query('DELETE FROM lessons');
}
