import { z } from 'zod';
import { LESSON_KINDS, LESSON_STATUSES, type LessonKind, type LessonStatus } from '#lib/core/lesson-kinds.ts';
import { RECALL_EFFECTS, type RecallEffect } from '#lib/core/recalled-text.ts';
import type { Database } from '#lib/database/database.ts';

/**
 * A lesson in the prompt of one of a run's versions. `text` is what stood there, also where the lesson was edited since; `score`: how
 * well it fitted, 0 to 1, null where it was not looked for by that; `effect`: what the version's evaluation says of it.
 */
export type RecalledLessonText = {
  version: number;
  rank: number;
  lessonId: string;
  kind: LessonKind;
  text: string;
  status: LessonStatus;
  score: number | null;
  effect: RecallEffect | null;
  /** The run wrote it itself. */
  isOwn: boolean;
};

const rowSchema = z
  .object({
    version: z.int(),
    rank: z.int(),
    lesson_id: z.string(),
    kind: z.enum(LESSON_KINDS),
    text: z.string(),
    status: z.enum(LESSON_STATUSES),
    score: z.number().nullable(),
    effect: z.enum(RECALL_EFFECTS).nullable(),
    is_own: z.boolean(),
  })
  .transform(({ lesson_id, is_own, ...row }): RecalledLessonText => ({ ...row, lessonId: lesson_id, isOwn: is_own }));

const RECALLED = `
  SELECT k.version, k.rank, k.lesson_id, l.kind, l.status, k.score, k.effect, coalesce(l.run_id = k.run_id, false) AS is_own,
    coalesce((SELECT given->>'text' FROM jsonb_array_elements(s.lessons) given WHERE given->>'id' = k.lesson_id::text LIMIT 1), l.text) AS text
  FROM recalls k
  JOIN lessons l ON l.id = k.lesson_id
  JOIN reflection_versions v ON v.run_id = k.run_id AND v.number = k.version
  LEFT JOIN step_recalls s ON s.run_id = k.run_id AND s.step = v.step
  WHERE k.run_id = $1 ORDER BY k.version, k.rank`;

/** The lessons in the prompts of a run's versions, by version and in the order of the prompt. A lesson that was deleted is not among them. */
export async function recalledTexts(database: Database, runId: string): Promise<RecalledLessonText[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>(RECALLED, [runId]);
  return rows.map((row) => rowSchema.parse(row));
}
