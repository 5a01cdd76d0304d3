import type pg from 'pg';
import type { LessonState, LessonVerdict } from '#lib/core/lesson-library.ts';
import { cleanText, storableJson } from '#lib/database/clean-text.ts';
import type { JudgedPlace } from './lesson-review.ts';

/** What a person did with a lesson, and when. Lessons' rows must be locked by those who keep reviews and edits. */
type Act = { lessonId: string; number: number; actor: string; actorId: string; at: Date };

/** Keeps a verdict and where it took the lesson; one that was merged into another stands for itself again. */
export async function addReview(
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
