import { authorsOfRun } from '#lib/audit/queries.ts';
import { decisionsWith } from '#lib/core/decision-kinds.ts';
import type { ModelCheck } from '#lib/core/lesson-library.ts';
import type { LessonKind, LessonStatus } from '#lib/core/lesson-schema.ts';
import type { NamedService } from '#lib/core/named-models.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { ADVISORY_LOCKS } from '#lib/database/locks.ts';
import { cleanJson, storableJson } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { repeatQuery } from './find-repeat.ts';
import type { LoadedLesson } from './load-lesson.ts';

/* Lesson writes, and worker queries for them, that need more than one model's statement. */

/** Returns lessons that wait for the worker, oldest first. The cost does not depend on the number of lessons. */
export async function lessonsToAdmit({ prisma }: DatabaseClient, limit: number): Promise<string[]> {
  const waiting = await prisma.lesson.findMany({
    where: { admission: 'waiting', status: 'candidate' },
    select: { id: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'desc' }],
    take: limit,
  });
  return waiting.map(({ id }) => id);
}

/** Maximum number of lessons that a new one is compared with. */
const MAX_LIKELY_REPEATS = 50;

/**
 * Returns lessons that may say the same as a new one, most similar in words first. Candidates are admitted, have its kind and block, and
 * their scope contains the new one's. Lessons archived by a person are included, so that a refused lesson needs no second review. Lessons
 * archived by retention are excluded. `words` are the stems of the text, `shares` the word frequencies (`termStatistics`).
 */
export async function likelyRepeats(
  transaction: Transaction,
  { id, text, kind, block, scope }: LoadedLesson,
  { words, shares }: { words: readonly string[]; shares: ReadonlyMap<string, number> },
): Promise<{ id: string; text: string; status: LessonStatus }[]> {
  const query = repeatQuery(words, shares);
  return transaction.$queryRaw<{ id: string; text: string; status: LessonStatus }[]>`
    SELECT id, text, status FROM lessons
    WHERE (search @@ ${query}::tsquery OR text = ${text}) AND kind = ${kind} AND (agent IS NULL OR agent = ${scope.agent})
      AND (task_type IS NULL OR task_type = ${scope.taskType}) AND block = ${block} AND id <> ${id}::uuid AND admission = 'admitted'
      AND merged_into_id IS NULL AND (status <> 'archived' OR reviewed_at IS NOT NULL)
    ORDER BY (text = ${text}) DESC, ts_rank(search, ${query}::tsquery) DESC, created_at, id LIMIT ${MAX_LIKELY_REPEATS}`;
}

/** Fields that identify the same lesson across libraries. */
type LessonIdentity = {
  kind: string;
  text: string;
  block: string;
  agent: string | null;
  taskType: string | null;
};

/** Returns the indices of lessons that already exist in the library, in any status. */
export async function presentLessons(
  { lesson }: Transaction,
  identities: readonly LessonIdentity[],
): Promise<Set<number>> {
  const wanted = identities.map((identity) => cleanJson(identity));
  const known = await lesson.findMany({
    where: { text: { in: wanted.map(({ text }) => text) } },
    select: { kind: true, text: true, block: true, agent: true, taskType: true },
  });
  const keyOf = ({ kind, text, block, agent, taskType }: LessonIdentity) =>
    JSON.stringify([kind, text, block, agent, taskType]);
  const keys = new Set(known.map(keyOf));
  return new Set(wanted.flatMap((identity, index) => (keys.has(keyOf(identity)) ? [index] : [])));
}

/** Maximum number of additional inputs per lesson, and of merged lessons that are read for them. */
const MAX_INPUTS = 10;
const MAX_MERGED_LESSONS = 200;

/**
 * Recomputes the inputs that recall a lesson from the lessons merged into it. Call it after a lesson is merged or separated. A lesson
 * merged into a promoted one adds no inputs until a person promotes that one again. Otherwise a writer of repeats could control where it is
 * recalled.
 */
export async function renewSources({ prisma }: DatabaseClient, lessonId: string): Promise<void> {
  await prisma.$executeRaw`
    UPDATE lessons k SET also_from = coalesce((
      SELECT string_agg(s.input, ' ') FROM (
        SELECT DISTINCT m.input FROM (
          SELECT left(source_input, 200) AS input FROM lessons WHERE merged_into_id = k.id
            AND (k.status <> 'promoted' OR (SELECT max(created_at) FROM lesson_checks c
              WHERE c.lesson_id = lessons.id AND c.kind = 'merge' AND c.outcome = 'merged') <= k.reviewed_at)
          LIMIT ${MAX_MERGED_LESSONS}) m
        WHERE m.input NOT IN ('', left(k.source_input, 200)) LIMIT ${MAX_INPUTS}) s), '')
    WHERE k.id = ${lessonId}::uuid`;
}

/**
 * Archives an agent's oldest unreviewed lessons written by runs, of any kind, beyond the newest `keep`. Lessons promoted or restored by a
 * person, and those written or imported by people, are neither archived nor counted. Lessons of unfinished runs are kept until the run
 * ends. `isAnyInUse` is true if there are any. The caller must hold the `ADMITTING` lock and no lesson lock.
 */
export async function archiveBeyondRetention(
  transaction: Transaction,
  { agent, keep, now }: { agent: string; keep: number; now: Date },
): Promise<{ isAnyInUse: boolean }> {
  const [found] = await transaction.$queryRaw<[{ isAnyInUse: boolean }]>`
    WITH beyond AS (
      SELECT old.id, r.status IN ('queued', 'running', 'waiting') AS is_in_use FROM (
        SELECT id, run_id FROM lessons WHERE agent = ${agent} AND status = ANY ('{candidate,quarantined}')
          AND admission IN ('admitted', 'held') AND run_id IS NOT NULL AND reviewed_at IS NULL
        ORDER BY created_at DESC, id OFFSET ${keep}) old
      JOIN runs r ON r.id = old.run_id),
    old AS (
      SELECT id FROM lessons WHERE id IN (SELECT id FROM beyond WHERE NOT is_in_use) AND status IN ('candidate', 'quarantined')
      ORDER BY id FOR NO KEY UPDATE),
    archived AS (UPDATE lessons l SET status = 'archived' FROM old WHERE l.id = old.id RETURNING l.id),
    noted AS (
      INSERT INTO lesson_checks (lesson_id, number, edit, kind, outcome, result, created_at)
      SELECT id, (SELECT coalesce(max(number) + 1, 0) FROM lesson_checks c WHERE c.lesson_id = archived.id),
        (SELECT count(*) FROM lesson_edits e WHERE e.lesson_id = archived.id), 'retention', 'archived', json_build_object('keep', ${keep}::int), ${now}
      FROM archived)
    SELECT coalesce(bool_or(is_in_use), false) AS "isAnyInUse" FROM beyond`;
  return found;
}

/** Number of unmerged changes that is left alone because reading them is cheap. */
export const FEW_CHANGES = 50;

/** Merges the accumulated lesson changes into the totals, so that counting stays cheap. */
export async function mergeLessonTotals({ prisma }: { prisma: Transaction }): Promise<void> {
  await prisma.$executeRaw`
    WITH taken AS (
      DELETE FROM lesson_totals WHERE (SELECT count(*) FROM lesson_totals) > ${FEW_CHANGES} AND (SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS.lessonTotals}))
      RETURNING *)
    INSERT INTO lesson_totals (status, lessons, review, refuted)
    SELECT status, sum(lessons), sum(review), sum(refuted) FROM taken GROUP BY status HAVING sum(lessons) <> 0`;
}

/** Lesson from a retrospective: a candidate learned from the whole run. */
export type NewRetrospectiveLesson = {
  id: string;
  kind: LessonKind;
  admission: 'waiting' | 'staged';
  text: string;
  fields: Record<string, string>;
  block: string;
  agent: string;
  taskType: string;
  tools: string[];
  sourceInput: string;
  sourceScore: number | null;
  createdBy: string;
  services: NamedService[];
  /** Null if no model was called. */
  modelCheck: ModelCheck | null;
};

const ADD_LESSONS = `
  INSERT INTO lessons (id, run_id, step, kind, status, admission, text, fields, block, agent, task_type, tools, source_input, source_score, created_by, authors, created_at)
  SELECT l.id, $1::uuid, $2::int, l.kind, 'candidate', l.admission, l.text, l.fields, l.block, l.agent, l."taskType", l.tools, l."sourceInput", l."sourceScore", l."createdBy", ${authorsOfRun('$1::uuid', 'l.services')}, $3::timestamptz
  FROM json_to_recordset($4::json) AS l(id uuid, kind text, admission text, text text, fields jsonb, block text, agent text, "taskType" text, tools text[], "sourceInput" text,
    "sourceScore" float8, "createdBy" text, services jsonb)`;

/** Adds the lessons of a retrospective. */
export async function insertRetrospectiveLessons(
  transaction: Transaction,
  { runId, step, now }: { runId: string; step: number; now: Date },
  lessons: readonly NewRetrospectiveLesson[],
): Promise<void> {
  await transaction.$executeRawUnsafe(ADD_LESSONS, runId, step, now, storableJson(lessons));
}

const ENDED = "r.status IN ('finished', 'failed', 'stopped') AND r.finished_at IS NOT NULL";

const LAST = `SELECT max(t.requested_at) FROM retrospectives t JOIN runs o ON o.id = t.run_id
  WHERE o.experiment_id = e.id AND t.scheduled`;

const SHOWS_PREFERENCE = decisionsWith(({ showsPreference }) => showsPreference === true);

/** Decisions that express a person's preferences: all except those that only let the run continue. */
const IMPORTANT = `d.by = 'person' AND (d.decision IN (${SHOWS_PREFERENCE.map((kind) => `'${kind}'`).join(', ')})
  OR (d.decision = 'allow' AND d.tool_arguments IS NOT NULL))`;

/** SQL condition: true if the settings of a version write lessons. */
const writesLessons = (version: string) =>
  `${version}.settings ->> 'mode' <> 'tune' AND ${version}.settings #>> '{lessons,write}' IS DISTINCT FROM 'off'`;

const DUE = `
  SELECT due.id
  FROM experiments e
  JOIN experiment_versions v ON v.experiment_id = e.id AND v.version = e.latest_version
  CROSS JOIN LATERAL (
    SELECT r.id, row_number() OVER (ORDER BY (SELECT count(*) FROM decisions d WHERE d.run_id = r.id AND ${IMPORTANT}) DESC,
      r.success, r.version_count DESC, r.number DESC) AS place
    FROM runs r
    JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version
    WHERE r.experiment_id = e.id AND ${ENDED} AND r.version_count > 0 AND r.finished_at > coalesce((${LAST}), '-infinity')
      AND ${writesLessons('s')} AND NOT EXISTS (SELECT 1 FROM retrospectives t WHERE t.run_id = r.id)
    ORDER BY place LIMIT coalesce((v.settings #>> '{lessons,lookBackRuns}')::int, 1)) due
  WHERE v.settings #>> '{lessons,lookBackEvery}' IS NOT NULL AND ${writesLessons('v')}
    AND (v.settings #>> '{lessons,lookBackEvery}')::int <= (
      SELECT count(*) FROM runs r
      WHERE r.experiment_id = e.id AND ${ENDED} AND r.finished_at > coalesce((${LAST}), '-infinity'))
  ORDER BY e.created_at, e.id, due.place`;

/**
 * Returns the runs due for a scheduled retrospective. An experiment is due when `lessons.lookBackEvery` of its runs have ended since its
 * last scheduled one. Its `lessons.lookBackRuns` most instructive runs are returned: first those with the most important decisions of
 * people, then unsolved ones, then those with the most versions, newest first. Runs that already have a retrospective are excluded.
 */
export async function listRunsDueForRetrospective({ prisma }: DatabaseClient): Promise<string[]> {
  const rows = await prisma.$queryRawUnsafe<{ id: string }[]>(DUE);
  return rows.map(({ id }) => id);
}
