import { z } from 'zod';
import { STOP_REASONS } from '#lib/core/history.ts';
import type { Database } from '#lib/database/database.ts';
import { ENDED_RUN, OWN_RUN } from '#lib/runs/run-conditions.ts';
import { SCORES_OF_RUN } from '#lib/runs/run-list-row.ts';

const row = z.object({
  number: z.int(),
  input: z.string(),
  caseKey: z.string(),
  status: z.enum(['finished', 'failed', 'stopped']),
  stopReason: z.enum(STOP_REASONS).nullable(),
  success: z.boolean(),
  satisfied: z.string(),
  firstScore: z.number().nullable(),
  bestScore: z.number().nullable(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number(),
  unpriced: z.boolean(),
  /** By version, null where unscored. */
  scores: z.array(z.number().nullable()),
});
/** An ended run as a report tells of it; of its input the beginning. */
export type ReportRun = z.infer<typeof row>;

const RUNS = `
  SELECT r.number, left(r.input, 200) AS input, r.case_key AS "caseKey", r.status, r.convergence_reason AS "stopReason", r.success, r.satisfied,
    r.first_score AS "firstScore", r.best_score AS "bestScore", r.input_tokens AS "inputTokens", r.output_tokens AS "outputTokens", r.cost_usd AS "costUsd",
    r.unpriced, coalesce(m.scores::json, ${SCORES_OF_RUN}) AS scores
  FROM runs r LEFT JOIN run_measures m ON m.run_id = r.id
  WHERE r.experiment_id = $1 AND r.experiment_version = $2 AND ${ENDED_RUN} AND ${OWN_RUN} ORDER BY r.number`;

/** The ended runs of an experiment under one version of its settings, oldest first; branches are left out. */
export async function listReportRuns(
  { pool }: Pick<Database, 'pool'>,
  { experimentId, version }: { experimentId: string; version: number },
): Promise<ReportRun[]> {
  const { rows } = await pool.query<Record<string, unknown>>(RUNS, [experimentId, version]);
  return rows.map((one) => row.parse(one));
}
