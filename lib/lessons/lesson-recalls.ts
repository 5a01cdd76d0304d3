import { z } from 'zod';
import type { LessonRecall, LessonSource } from '#lib/core/lesson-library.ts';
import type { Database } from '#lib/database/database.ts';

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
export async function listLessonRecalls(
  { pool }: Pick<Database, 'pool'>,
  { id, source }: { id: string; source: Pick<LessonSource, 'runId'> },
): Promise<LessonRecall[]> {
  const { rows } = await pool.query<Record<string, unknown>>(LIST, [id, source.runId]);
  return rows.map((row) => recallRow.parse(row));
}
