import { z } from 'zod';
import {
  LESSON_KINDS,
  LESSON_STATUSES,
  type LessonKind,
  type LessonStatus,
  RECALL_EFFECTS,
  type RecallEffect,
} from '#lib/core/lesson-schema.ts';
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

/** So many of the latest runs are looked through for the same input. */
const LATEST_RUNS = 1_000;

type FirstVersion = { runId: string; experimentId: string; experimentVersion: number; input: string };

/**
 * What first versions of an input scored without recalled lessons, 0 to 1: for each of the lessons that was learned from this very input, the
 * score of what it was learned from; and the mean of finished runs under the same settings, null where there are none.
 */
export async function recallBaselines(
  database: Database,
  { runId, experimentId, experimentVersion, input }: FirstVersion,
  lessonIds: string[],
): Promise<{ sourceScores: Map<string, number>; meanFirst: number | null }> {
  const sources = await database.pool.query<{ id: string; score: number }>(
    `SELECT l.id, l.source_score AS score FROM lessons l LEFT JOIN runs r ON r.id = l.run_id
     WHERE l.id = ANY ($1::uuid[]) AND l.source_score IS NOT NULL AND l.source_input <> ''
       AND CASE WHEN r.id IS NULL THEN l.source_input = left($2, 200) ELSE r.input = $2 END`,
    [lessonIds, input],
  );
  const others = await database.pool.query<{ mean: number | null }>(
    `SELECT avg(r.first_score) AS mean
     FROM (SELECT * FROM runs WHERE experiment_id = $1 ORDER BY number DESC LIMIT ${LATEST_RUNS}) r
     WHERE r.experiment_version = $2 AND r.id <> $3 AND r.status = 'finished' AND r.first_score IS NOT NULL AND r.input = $4
       AND NOT EXISTS (SELECT 1 FROM recalls k WHERE k.run_id = r.id AND k.version = 0)`,
    [experimentId, experimentVersion, runId, input],
  );
  return {
    sourceScores: new Map(sources.rows.map(({ id, score }) => [id, score])),
    meanFirst: others.rows[0]?.mean ?? null,
  };
}
