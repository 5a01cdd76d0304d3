import type { ModelReference } from '#lib/core/settings.ts';
import { storableJson } from '#lib/database/clean-text.ts';
import type { Database } from '#lib/database/database.ts';

/** The vectors that an embedding model made of lessons, by the lessons' ids; those it has none of are left out. */
export async function findLessonVectors(
  database: Database,
  { provider, model }: ModelReference,
  lessonIds: string[],
): Promise<Map<string, number[]>> {
  if (lessonIds.length === 0) return new Map();
  const found = await database.prisma.lessonEmbedding.findMany({
    where: { lessonId: { in: lessonIds }, provider, model },
    select: { lessonId: true, vector: true },
  });
  return new Map(found.map(({ lessonId, vector }) => [lessonId, vector]));
}

const KEEP = `
  INSERT INTO lesson_embeddings (lesson_id, provider, model, vector)
  SELECT l.id, $2, $3, v.vector FROM json_to_recordset($1::json) AS v(id uuid, text text, vector real[])
  JOIN lessons l ON l.id = v.id AND l.text = v.text
  ON CONFLICT (lesson_id, provider, model) DO UPDATE SET vector = excluded.vector`;

/** Keeps vectors of lessons' texts; one of a lesson that was edited or deleted meanwhile is dropped. */
export async function saveLessonVectors(
  database: Database,
  { provider, model }: ModelReference,
  vectors: { id: string; text: string; vector: number[] }[],
): Promise<void> {
  await database.pool.query(KEEP, [storableJson(vectors), provider, model]);
}
