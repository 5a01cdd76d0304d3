import { z } from 'zod';
import {
  LESSON_VERDICTS,
  type LessonDetail,
  type LessonEdit,
  type LessonOrigin,
  type LessonRecall,
  type LessonSource,
  type LessonState,
} from '#lib/core/lesson-library.ts';
import type { Database } from '#lib/database/database.ts';
import { listChecks } from './lesson-checks.ts';
import { fieldsSchema, LESSON_BRIEF_COLUMNS, LESSON_COLUMNS, lessonBriefRow, lessonListRow } from './load-lesson.ts';

/** Of a case's input and a version's output this many characters are shown with a lesson. */
const SHOWN_LENGTH = 2_000;

const FIND = `
  SELECT r.id AS "runId", r.number AS "runNumber", r.experiment_id AS "experimentId", x.name AS "experimentName", v.number AS version,
    v.iteration, left(r.input, ${SHOWN_LENGTH}) AS input, left(v.output, ${SHOWN_LENGTH}) AS output, e.score, e.issues, e.reasons, e.feedback
  FROM runs r
  JOIN experiments x ON x.id = r.experiment_id
  LEFT JOIN reflection_versions v ON v.run_id = r.id AND v.number = $2
  LEFT JOIN LATERAL (
    SELECT CASE WHEN status = 'scored' THEN overall_score END AS score, issues, reasons, feedback
    FROM evaluations WHERE run_id = r.id AND version = v.number ORDER BY (by = 'person') DESC, ordinal DESC LIMIT 1) e ON true
  WHERE r.id = $1`;

const originRow = z.object({
  runId: z.string(),
  runNumber: z.int(),
  experimentId: z.string(),
  experimentName: z.string(),
  version: z.int().nullable(),
  iteration: z.int().nullable(),
  input: z.string(),
  output: z.string().nullable(),
  score: z.number().nullable(),
  issues: z
    .array(z.object({ text: z.string(), criterion: z.string().nullable() }))
    .nullable()
    .transform((issues) => issues ?? []),
  reasons: z
    .record(z.string(), z.string())
    .nullable()
    .transform((reasons) => reasons ?? {}),
  feedback: z.string().nullable(),
});

/** The run and version a lesson was learned from, with its last evaluation; null where there is none, or none any more. */
async function findLessonOrigin({ pool }: Pick<Database, 'pool'>, source: LessonSource): Promise<LessonOrigin | null> {
  if (source.runId === null) return null;
  const { rows } = await pool.query<Record<string, unknown>>(FIND, [source.runId, source.version]);
  return rows[0] === undefined ? null : originRow.parse(rows[0]);
}

/** Most uses that are shown with a lesson. */
const MOST_RECALLS = 100;

const LIST = `
  SELECT k.run_id AS "runId", r.number AS "runNumber", r.experiment_id AS "experimentId", x.name AS "experimentName",
    left(r.input, 200) AS input, k.version, k.rank, k.score, k.effect, k.run_id = $2::uuid AS "isOwnRun", v.created_at AS "createdAt",
    ${scoreOf('coalesce(v.parents[1], k.version - 1)')} AS "scoreBefore", ${scoreOf('k.version')} AS "scoreAfter"
  FROM recalls k
  JOIN runs r ON r.id = k.run_id
  JOIN experiments x ON x.id = r.experiment_id
  JOIN reflection_versions v ON v.run_id = k.run_id AND v.number = k.version
  WHERE k.lesson_id = $1 ORDER BY v.created_at DESC, k.run_id, k.version LIMIT ${MOST_RECALLS}`;

/** The overall score of a version of the run that recalled, a person's where there is one; null where unscored. */
function scoreOf(version: string): string {
  return `(SELECT CASE WHEN e.status = 'scored' THEN e.overall_score END FROM evaluations e
    WHERE e.run_id = k.run_id AND e.version = ${version} ORDER BY (e.by = 'person') DESC, e.ordinal DESC LIMIT 1)`;
}

const recallRow = z.object({
  runId: z.string(),
  runNumber: z.int(),
  experimentId: z.string(),
  experimentName: z.string(),
  input: z.string(),
  version: z.int(),
  rank: z.int(),
  score: z.number().nullable(),
  effect: z.enum(['helpful', 'harmful', 'neutral']).nullable(),
  scoreBefore: z.number().nullable(),
  scoreAfter: z.number().nullable(),
  isOwnRun: z
    .boolean()
    .nullable()
    .transform((isOwn) => isOwn ?? false),
  createdAt: z.date().transform((value) => value.toISOString()),
});

/** The versions whose prompts a lesson stood in, the newest 100 first, with the scores before and after. */
async function listLessonRecalls(
  { pool }: Pick<Database, 'pool'>,
  { id, source }: { id: string; source: Pick<LessonSource, 'runId'> },
): Promise<LessonRecall[]> {
  const { rows } = await pool.query<Record<string, unknown>>(LIST, [id, source.runId]);
  return rows.map((row) => recallRow.parse(row));
}

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

/**
 * The inputs a lesson was learned from, and those of the lessons it speaks for: whole where the run is still there, else their
 * beginning (`isWhole` false), as it was kept.
 */
export async function lessonSources(
  database: Database,
  lessonId: string,
): Promise<{ input: string; isWhole: boolean }[]> {
  const { rows } = await database.pool.query<{ input: string; isWhole: boolean }>(
    `SELECT coalesce(r.input, l.source_input) AS input, r.input IS NOT NULL AS "isWhole"
     FROM lessons l LEFT JOIN runs r ON r.id = l.run_id
     WHERE (l.id = $1 OR l.merged_into_id = $1) AND coalesce(r.input, l.source_input) <> ''`,
    [lessonId],
  );
  return rows;
}
