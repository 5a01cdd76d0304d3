import { authorsOfRun } from '#lib/audit/contributions.ts';
import { decisionsWith } from '#lib/core/decision-kinds.ts';
import type { ModelCheck } from '#lib/core/lesson-library.ts';
import type { LessonKind, LessonStatus } from '#lib/core/lesson-schema.ts';
import type { NamedService } from '#lib/core/named-models.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanJson, storableJson } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { repeatQuery } from './find-repeat.ts';
import type { LoadedLesson } from './load-lesson.ts';

/*
 * What is done to lessons, and what the worker looks for to do it, where that takes more than one model's statement.
 */

/** Lessons that wait for the worker, longest ago first. Costs the same however many lessons there are. */
export async function lessonsToAdmit({ prisma }: Pick<Database, 'prisma'>, limit: number): Promise<string[]> {
  const waiting = await prisma.lesson.findMany({
    where: { admission: 'waiting', status: 'candidate' },
    select: { id: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'desc' }],
    take: limit,
  });
  return waiting.map(({ id }) => id);
}

/** Most lessons that a new one is compared with. */
const MOST_LIKELY = 50;

/**
 * The lessons that may say the same as a new one, most alike in words first: admitted ones of its kind and block whose scope holds the
 * new one's. Those that a person archived count: what was refused once need not be looked at again. Those that retention archived don't.
 * `words` are the stems of the text, `shares` is how common words are (`termStatistics`).
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
    ORDER BY (text = ${text}) DESC, ts_rank(search, ${query}::tsquery) DESC, created_at, id LIMIT ${MOST_LIKELY}`;
}

/** What makes a lesson the same one in another library. */
type LessonIdentity = {
  kind: string;
  text: string;
  block: string;
  agent: string | null;
  taskType: string | null;
};

/** Which of these lessons are in the library already, whatever became of them there: their places in the list. */
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
  return new Set(wanted.flatMap((identity, place) => (keys.has(keyOf(identity)) ? [place] : [])));
}

/** A lesson is found by no more inputs than these of the lessons it speaks for, and looks at no more of those lessons. */
const MOST_INPUTS = 10;
const MOST_MERGED = 200;

/**
 * Lets a lesson be found by the inputs that those were learned from which say the same: after one was merged into it, or left it. What is
 * merged into a promoted lesson lets it be found by no more until a person promotes it again: whoever repeats it must not decide where it
 * is recalled.
 */
export async function renewSources({ prisma }: Pick<Database, 'prisma'>, lessonId: string): Promise<void> {
  await prisma.$executeRaw`
    UPDATE lessons k SET also_from = coalesce((
      SELECT string_agg(s.input, ' ') FROM (
        SELECT DISTINCT m.input FROM (
          SELECT left(source_input, 200) AS input FROM lessons WHERE merged_into_id = k.id
            AND (k.status <> 'promoted' OR (SELECT max(created_at) FROM lesson_checks c
              WHERE c.lesson_id = lessons.id AND c.kind = 'merge' AND c.outcome = 'merged') <= k.reviewed_at)
          LIMIT ${MOST_MERGED}) m
        WHERE m.input NOT IN ('', left(k.source_input, 200)) LIMIT ${MOST_INPUTS}) s), '')
    WHERE k.id = ${lessonId}::uuid`;
}

/**
 * Archives the oldest lessons, of whatever kind, that runs wrote for an agent and that wait for a review, beyond the newest `keep`. Never
 * archived, nor counted: what a person promoted or restored, and what people wrote or imported. A lesson of a run that is under way stays
 * until the run has ended; the answer says whether there is one. The caller must have the turn to admit, and hold no lesson.
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

/** A number of `pg_try_advisory_xact_lock`: one process merges at a time. */
const MERGING_LOCK = 72_707_372;
/** Rows of changes that are left as they are: reading them costs nothing. */
export const FEW_CHANGES = 50;

/** Merges what changes of lessons have left among the totals, so that counting stays cheap. */
export async function mergeLessonTotals({ prisma }: { prisma: Transaction }): Promise<void> {
  await prisma.$executeRaw`
    WITH taken AS (
      DELETE FROM lesson_totals WHERE (SELECT count(*) FROM lesson_totals) > ${FEW_CHANGES} AND (SELECT pg_try_advisory_xact_lock(${MERGING_LOCK}))
      RETURNING *)
    INSERT INTO lesson_totals (status, lessons, review, refuted)
    SELECT status, sum(lessons), sum(review), sum(refuted) FROM taken GROUP BY status HAVING sum(lessons) <> 0`;
}

/** A lesson a retrospective leaves: a candidate of the library, learned from the run as a whole. */
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
  /** Null where no model was asked. */
  modelCheck: ModelCheck | null;
};

const ADD_LESSONS = `
  INSERT INTO lessons (id, run_id, step, kind, status, admission, text, fields, block, agent, task_type, tools, source_input, source_score, created_by, authors, created_at)
  SELECT l.id, $1::uuid, $2::int, l.kind, 'candidate', l.admission, l.text, l.fields, l.block, l.agent, l."taskType", l.tools, l."sourceInput", l."sourceScore", l."createdBy", ${authorsOfRun('$1::uuid', 'l.services')}, $3::timestamptz
  FROM json_to_recordset($4::json) AS l(id uuid, kind text, admission text, text text, fields jsonb, block text, agent text, "taskType" text, tools text[], "sourceInput" text,
    "sourceScore" float8, "createdBy" text, services jsonb)`;

/** Adds the lessons that a look back over a run leaves. */
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

const TEACHES = decisionsWith(({ teaches }) => teaches === true);

/** Decisions that say something of what people want: all but those that only let the run go its way. */
const IMPORTANT = `d.by = 'person' AND (d.decision IN (${TEACHES.map((kind) => `'${kind}'`).join(', ')})
  OR (d.decision = 'allow' AND d.tool_arguments IS NOT NULL))`;

/** SQL: whether the settings of a version write lessons. */
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
 * The runs to look back over by schedule: of each experiment of which as many runs have ended since its last scheduled look back as
 * `lessons.lookBackEvery` says, the `lessons.lookBackRuns` of these that teach most. First those with the most important decisions of
 * people, then unsolved ones, then those with the most versions, the newest first. None that was looked back over before.
 */
export async function runsToLookBackOver({ prisma }: Pick<Database, 'prisma'>): Promise<string[]> {
  const rows = await prisma.$queryRawUnsafe<{ id: string }[]>(DUE);
  return rows.map(({ id }) => id);
}
