import type pg from 'pg';
import type { LessonState, LessonVerdict } from '#lib/reflection/lesson-library.ts';
import type { JudgedPlace } from '#lib/reflection/lesson-verdict.ts';
import { cleanText, storableJson } from './clean-text.ts';
import type { Database } from './database.ts';

/** What a person did with a lesson, and when. Lessons' rows must be locked by those who keep reviews and edits. */
type Act = { lessonId: string; number: number; actor: string; at: Date };

/** Keeps a verdict and where it took the lesson; one that was merged into another stands for itself again. */
export async function addReview(
  client: pg.PoolClient,
  { lessonId, number, actor, at, verdict, reason }: Act & { verdict: LessonVerdict; reason: string },
  place: JudgedPlace,
): Promise<void> {
  await client.query(
    'INSERT INTO lesson_reviews (lesson_id, number, verdict, reason, actor, created_at) VALUES ($1, $2, $3, $4, $5, $6)',
    [lessonId, number, verdict, cleanText(reason), actor, at],
  );
  await client.query(
    'UPDATE lessons SET status = $2, admission = $3, reviewed_by = $4, reviewed_at = $5, merged_into_id = NULL WHERE id = $1',
    [lessonId, place.status, place.admission, actor, at],
  );
}

/** Keeps how a lesson stood before an edit, and the edit; what was computed from an old text goes with it. */
export async function addEdit(
  client: pg.PoolClient,
  act: Act & { actorId: string; reason: string | null },
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

/** Keeps a comment; false where there is no such lesson. */
export async function addComment(
  { pool }: Pick<Database, 'pool'>,
  comment: { id: string; lessonId: string; actor: string; text: string; at: Date },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    'INSERT INTO lesson_comments (id, lesson_id, actor, text, created_at) SELECT $1, id, $3, $4, $5 FROM lessons WHERE id = $2',
    [comment.id, comment.lessonId, comment.actor, comment.text, comment.at],
  );
  return rowCount === 1;
}
