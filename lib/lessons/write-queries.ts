import type { LessonStatus } from '#lib/core/lesson-schema.ts';
import type { Database } from '#lib/database/database.ts';
import { storableJson } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { repeatQuery } from './find-repeat.ts';
import type { LoadedLesson } from './load-lesson.ts';

/*
 * What is done to lessons that takes more than one model's statement.
 */

/** Keeps all others from changing a lesson until the transaction ends; false where there is no such lesson. */
export async function lockLesson(transaction: Transaction, lessonId: string): Promise<boolean> {
  const rows = await transaction.$queryRaw<unknown[]>`SELECT 1 FROM lessons WHERE id = ${lessonId}::uuid FOR UPDATE`;
  return rows.length > 0;
}

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
export type LessonIdentity = {
  kind: string;
  text: string;
  block: string;
  agent: string | null;
  taskType: string | null;
};

/** Which of these lessons are in the library already, whatever became of them there: their places in the list. */
export async function presentLessons(
  transaction: Transaction,
  identities: readonly LessonIdentity[],
): Promise<Set<number>> {
  const records = storableJson(identities.map((identity, place) => ({ place, ...identity })));
  const rows = await transaction.$queryRaw<{ place: number }[]>`
    SELECT i.place FROM json_to_recordset(${records}::json) AS i(place int, kind text, text text, block text, agent text, "taskType" text)
    WHERE EXISTS (
      SELECT 1 FROM lessons l WHERE l.text = i.text AND l.kind = i.kind AND l.block = i.block
        AND l.agent IS NOT DISTINCT FROM i.agent AND l.task_type IS NOT DISTINCT FROM i."taskType")`;
  return new Set(rows.map(({ place }) => place));
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
