import type pg from 'pg';
import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { LessonAdmission, LessonState, LessonVerdict } from '#lib/core/lesson-library.ts';
import type { LessonStatus } from '#lib/core/lesson-schema.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanText, storableJson } from '#lib/database/query-values.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import { formatMoment, formatTitle } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { lessonReviewSchema } from './lesson-input.ts';
import { type JudgedPlace, verdictOn } from './lesson-review.ts';
import { loadLesson } from './load-lesson.ts';
import { refusePromotion } from './own-contributions.ts';

/** What a person did with a lesson, and when. Lessons' rows must be locked by those who keep reviews and edits. */
type Act = { lessonId: string; number: number; actor: string; actorId: string; at: Date };

/** Keeps a verdict and where it took the lesson; one that was merged into another stands for itself again. */
async function addReview(
  client: pg.PoolClient,
  { lessonId, number, actor, actorId, at, verdict, reason }: Act & { verdict: LessonVerdict; reason: string },
  place: JudgedPlace,
): Promise<void> {
  await client.query(
    'INSERT INTO lesson_reviews (lesson_id, number, verdict, reason, actor, actor_id, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    [lessonId, number, verdict, cleanText(reason), actor, actorId, at],
  );
  await client.query(
    'UPDATE lessons SET status = $2, admission = $3, reviewed_by = $4, reviewed_at = $5, merged_into_id = NULL WHERE id = $1',
    [lessonId, place.status, place.admission, actor, at],
  );
}

/** Keeps how a lesson stood before an edit, and the edit; what was computed from an old text goes with it. */
export async function addEdit(
  client: pg.PoolClient,
  act: Act & { reason: string | null },
  before: LessonState,
  after: LessonState,
  place: JudgedPlace,
): Promise<void> {
  const { lessonId, number, actor, actorId, at, reason } = act;
  await client.query(
    `INSERT INTO lesson_edits (lesson_id, number, text, fields, scope, actor, actor_id, reason, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      lessonId,
      number,
      before.text,
      storableJson(before.fields),
      storableJson(before.scope),
      actor,
      actorId,
      reason,
      at,
    ],
  );
  await client.query(
    'UPDATE lessons SET text = $2, fields = $3, agent = $4, task_type = $5, tools = $6, status = $7, admission = $8 WHERE id = $1',
    [
      lessonId,
      cleanText(after.text),
      storableJson(after.fields),
      after.scope.agent,
      after.scope.taskType,
      after.scope.tools,
      place.status,
      place.admission,
    ],
  );
  if (before.text !== after.text) await client.query('DELETE FROM lesson_embeddings WHERE lesson_id = $1', [lessonId]);
}

/** A lesson is found by no more inputs than these of the lessons it speaks for, and looks at no more of those lessons. */
const MOST_INPUTS = 10;
const MOST_MERGED = 200;

/** $1 the lesson that speaks for others. Of a promoted one, those count that were merged into it before a person promoted it. */
const RENEW = `
  UPDATE lessons k SET also_from = coalesce((
    SELECT string_agg(s.input, ' ') FROM (
      SELECT DISTINCT m.input FROM (
        SELECT left(source_input, 200) AS input FROM lessons WHERE merged_into_id = k.id
          AND (k.status <> 'promoted' OR (SELECT max(created_at) FROM lesson_checks c
            WHERE c.lesson_id = lessons.id AND c.kind = 'merge' AND c.outcome = 'merged') <= k.reviewed_at)
        LIMIT ${MOST_MERGED}) m
      WHERE m.input NOT IN ('', left(k.source_input, 200)) LIMIT ${MOST_INPUTS}) s), '')
  WHERE k.id = $1`;

/**
 * Lets a lesson be found by the inputs that those were learned from which say the same: after one was merged into it, or left it. What is
 * merged into a promoted lesson lets it be found by no more until a person promotes it again: whoever repeats it must not decide where it
 * is recalled.
 */
export async function renewSources({ pool }: Pick<Database, 'pool'>, lessonId: string): Promise<void> {
  await pool.query(RENEW, [lessonId]);
}

export type ReviewedLesson = { id: string; status: LessonStatus; admission: LessonAdmission };

/**
 * Gives a person's verdict on a lesson (`lessonReviewSchema`). Of two at once the first one stands, and the other is told of it. A
 * lesson that is not promoted any more is out of every prompt from then on.
 */
export async function reviewLesson(
  { database, now }: AppContext,
  actor: Actor,
  lessonId: string,
  input: unknown,
): Promise<Result<ReviewedLesson>> {
  const parsed = parseInput(lessonReviewSchema, input);
  if (!parsed.ok) return parsed;
  const { verdict, reason, seen, editCount } = parsed.value;
  // Lessons whose merged ones may count otherwise now.
  let changed: string[] = [];
  const result = await inPoolTransaction(database, async (client): Promise<Result<ReviewedLesson>> => {
    const lesson = await loadLesson(client, lessonId, { lock: true });
    if (lesson === null) return noLesson(lessonId);
    const mayNot = verdict === 'promote' ? await refusePromotion(client, lesson, actor) : null;
    const reviewedAt = lesson.reviewedAt === null ? null : formatMoment(lesson.reviewedAt);
    const editedBy = lesson.editors.at(-1)?.actor ?? null;
    const judged = verdictOn({ ...lesson, reviewedAt, editedBy }, { verdict, reason, seen, editCount, mayNot });
    const subject = { kind: 'lesson', id: lessonId, name: formatTitle(lesson.text, 80) } as const;
    if (!judged.ok) {
      const change = { verdict, why: 'own work' };
      if (judged.problem.code === 'forbidden')
        await recordChange(client, actor, { act: 'reviewed', subject, change, outcome: 'refused' });
      return judged;
    }
    const review = {
      lessonId,
      number: lesson.reviewCount,
      actor: actor.name,
      actorId: personOf(actor),
      at: now(),
      verdict,
      reason,
    };
    await addReview(client, review, judged.value);
    await recordChange(client, actor, { act: 'reviewed', subject, change: { verdict, reason } });
    changed = [lessonId, ...(lesson.mergedIntoId === null ? [] : [lesson.mergedIntoId])];
    return succeed({ id: lessonId, ...judged.value });
  });
  for (const id of changed) await renewSources(database, id);
  return result;
}

export function noLesson(lessonId: string): Result<never> {
  return fail('not_found', `There is no lesson ${lessonId}.`);
}
