import { z } from 'zod';
import { LESSON_VERDICTS, type LessonDetail, type LessonEdit, type LessonState } from '#lib/core/lesson-library.ts';
import type { Database } from '#lib/database/database.ts';
import { findLessonOrigin } from './find-lesson-origin.ts';
import { listChecks } from './lesson-checks.ts';
import { listLessonRecalls } from './lesson-recalls.ts';
import { fieldsSchema, LESSON_BRIEF_COLUMNS, LESSON_COLUMNS, lessonBriefRow, lessonListRow } from './lesson-rows.ts';

/** Most of the lessons that one lesson speaks for that are shown with it. */
const MOST_MERGED = 100;

/** A lesson with all that is known of it; null when there is no such lesson. */
export async function findLesson(database: Database, lessonId: string): Promise<LessonDetail | null> {
  const { pool } = database;
  const rowsOf = async (text: string, values: unknown[]) =>
    (await pool.query<Record<string, unknown>>(text, values)).rows;
  const [found] = await rowsOf(`SELECT ${LESSON_COLUMNS} FROM lessons l WHERE l.id = $1`, [lessonId]);
  if (found === undefined) return null;
  const lesson = lessonListRow.parse(found);
  const [edits, checks, reviews, comments, trials, merged, mergedInto, recalls, origin] = await Promise.all([
    rowsOf(EDITS, [lessonId]),
    listChecks(pool, lessonId),
    rowsOf(REVIEWS, [lessonId]),
    rowsOf(COMMENTS, [lessonId]),
    rowsOf(TRIALS, [lessonId]),
    rowsOf(
      `SELECT ${LESSON_BRIEF_COLUMNS} FROM lessons l WHERE l.merged_into_id = $1 ORDER BY l.created_at, l.id LIMIT ${MOST_MERGED}`,
      [lessonId],
    ),
    rowsOf(`SELECT ${LESSON_BRIEF_COLUMNS} FROM lessons l WHERE l.id = $1`, [lesson.mergedIntoId]),
    listLessonRecalls(database, lesson),
    findLessonOrigin(database, lesson.source),
  ]);
  const screened = checks.findLast((check) => check.kind === 'screen');
  return {
    ...lesson,
    editCount: edits.length,
    findings: screened?.findings ?? [],
    edits: editsOf(z.array(editRow).parse(edits), lesson),
    checks,
    origin,
    recalls,
    merged: z.array(lessonBriefRow).parse(merged),
    mergedInto: z.array(lessonBriefRow).parse(mergedInto)[0] ?? null,
    reviews: z.array(reviewRow).parse(reviews),
    comments: z.array(commentRow).parse(comments),
    trials: z.array(trialRow).parse(trials),
  };
}

const EDITS = `SELECT number, text, fields, scope, actor, reason, created_at AS "createdAt" FROM lesson_edits WHERE lesson_id = $1 ORDER BY number`;
const REVIEWS = `SELECT number, verdict, reason, actor, created_at AS "createdAt" FROM lesson_reviews WHERE lesson_id = $1 ORDER BY number`;
const COMMENTS = `SELECT id, actor, text, created_at AS "createdAt" FROM lesson_comments WHERE lesson_id = $1 ORDER BY created_at, id`;
const TRIALS = `SELECT id, experiment_id AS "experimentId", batch_without_id AS "batchWithoutId", batch_with_id AS "batchWithId",
  requested_by AS "requestedBy", created_at AS "createdAt" FROM lesson_trials WHERE lesson_id = $1 ORDER BY created_at, id`;

const date = z.date().transform((value) => value.toISOString());

const editRow = z.object({
  number: z.int(),
  text: z.string(),
  fields: fieldsSchema,
  scope: z.object({
    agent: z.string().nullable().default(null),
    taskType: z.string().nullable().default(null),
    tools: z.array(z.string()).default([]),
  }),
  actor: z.string(),
  reason: z.string().nullable(),
  createdAt: date,
});
const reviewRow = z.object({
  number: z.int(),
  verdict: z.enum(LESSON_VERDICTS),
  reason: z.string(),
  actor: z.string(),
  createdAt: date,
});
const commentRow = z.object({ id: z.string(), actor: z.string(), text: z.string(), createdAt: date });
const trialRow = z.object({
  id: z.string(),
  experimentId: z.string(),
  batchWithoutId: z.string(),
  batchWithId: z.string(),
  requestedBy: z.string(),
  createdAt: date,
});

/** Each edit keeps what stood before it: what stood after it is what the next one found, or what stands now. */
function editsOf(rows: z.output<typeof editRow>[], now: LessonState): LessonEdit[] {
  const states: LessonState[] = [...rows, now].map(({ text, fields, scope }) => ({ text, fields, scope }));
  return rows.flatMap(({ number, actor, reason, createdAt }, position) => {
    const before = states[position];
    const after = states[position + 1];
    return before === undefined || after === undefined ? [] : [{ number, before, after, actor, reason, createdAt }];
  });
}
