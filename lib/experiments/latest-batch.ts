import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import type { Database } from '#lib/database/database.ts';
import { criteriaColumn } from '#lib/datasets/queries.ts';
import { IS_BRANCH } from '#lib/runs/batches.ts';
import type { StoredScore } from '#lib/statistics/scoring-effect.ts';

const caseRow = z.object({
  input: z.string(),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  criteria: criteriaColumn,
});

/** The cases of an experiment's newest batch, in their order, at most `limit`; none where nothing was run yet, or a prompt was tuned. */
export async function latestBatchCases(database: Database, experimentId: string, limit: number): Promise<Case[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT input, reference, tags, metadata, criteria FROM runs
     WHERE batch_id = (SELECT id FROM batches WHERE experiment_id = $1 ORDER BY created_at DESC, id LIMIT 1)
       AND NOT EXISTS (SELECT 1 FROM run_cases c WHERE c.run_id = runs.id)
     ORDER BY position LIMIT $2`,
    [experimentId, limit],
  );
  return rows.map((row) => caseRow.parse(row));
}

/** The most evaluations looked at: of a larger batch the runs that stand first in it. */
const MOST_SCORES = 10_000;

/** The evaluation each version goes by in the latest batch that has any (branches left out), in the order of the batch's runs. */
type BatchScores = { experimentVersion: number; total: number; scores: StoredScore[] };

/** One JSON list in one piece: thousands of rows cost far more. */
const SCORES = `
  WITH batch AS (
    SELECT b.id, b.experiment_version FROM batches b
    WHERE b.experiment_id = $1 AND EXISTS (SELECT 1 FROM runs r JOIN evaluations e ON e.run_id = r.id WHERE r.batch_id = b.id)
      AND NOT ${IS_BRANCH}
    ORDER BY b.created_at DESC LIMIT 1),
  counted AS (
    SELECT DISTINCT ON (r.position, e.version) r.position, r.criteria, e.version, e.overall_score, e.satisfactory, e.criteria_scores,
      e.by = 'person' AND EXISTS (SELECT 1 FROM decisions d WHERE d.run_id = e.run_id AND d.decision = 'override'
        AND d.criterion IS NULL AND (d.version = e.version AND d.at = e.created_at OR d.version = e.copied_from AND d.at < e.created_at)) AS whole
    FROM batch JOIN runs r ON r.batch_id = batch.id JOIN evaluations e ON e.run_id = r.id
    ORDER BY r.position, e.version, (e.by = 'person' AND e.status = 'scored') DESC, e.ordinal DESC)
  SELECT batch.experiment_version, (SELECT count(*)::int FROM counted) AS total,
    (SELECT json_agg(json_build_object('run', f.position, 'version', f.version, 'overallScore', f.overall_score,
      'satisfactory', f.satisfactory, 'criteriaScores', f.criteria_scores, 'isWhole', f.whole, 'criteria', f.criteria))
     FROM (SELECT * FROM counted ORDER BY position, version LIMIT $2) f) AS scores
  FROM batch`;

const rowSchema = z.object({
  experiment_version: z.int(),
  total: z.int(),
  scores: z.array(
    z.object({
      run: z.int(),
      version: z.int(),
      overallScore: z.number().nullable(),
      satisfactory: z.boolean(),
      criteriaScores: z.record(z.string(), z.number().nullable()),
      isWhole: z.boolean(),
      criteria: criteriaColumn,
    }),
  ),
});

/** Reads them; null where nothing of the experiment was evaluated yet. */
export async function latestBatchScores(
  database: Database,
  experimentId: string,
  most = MOST_SCORES,
): Promise<BatchScores | null> {
  const { rows } = await database.pool.query<Record<string, unknown>>({
    name: 'latest-batch-scores',
    text: SCORES,
    values: [experimentId, most],
  });
  if (rows[0] === undefined) return null;
  const { experiment_version, total, scores } = rowSchema.parse(rows[0]);
  return { experimentVersion: experiment_version, total, scores };
}
