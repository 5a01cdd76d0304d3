import type { Database } from '#lib/database/database.ts';

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
