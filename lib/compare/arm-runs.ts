import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { ENDED_RUN, OWN_RUN } from '#lib/runs/run-conditions.ts';
import { SCORES_OF_RUN } from '#lib/runs/run-list-row.ts';
import type { ArmOf } from './arm-cases.ts';

const runRow = z.object({
  caseKey: z.string(),
  /** The beginning of its input. */
  title: z.string(),
  id: z.string(),
  number: z.int(),
  status: z.enum(['finished', 'failed', 'stopped']),
  success: z.boolean(),
  score: z.number().nullable(),
  /** By version, null where unscored. */
  scores: z.array(z.number().nullable()),
});
/** A run of an arm; `score` is that of its best version. */
export type ArmRun = z.infer<typeof runRow>;

const RUNS = `
  SELECT r.case_key AS "caseKey", left(r.input, 160) AS title, r.id, r.number, r.status, r.success, r.best_score AS score, coalesce(m.scores::json, ${SCORES_OF_RUN}) AS scores
  FROM runs r LEFT JOIN run_measures m ON m.run_id = r.id
  WHERE r.experiment_id = $1 AND r.experiment_version = $2 AND r.case_key = ANY ($3) AND ${ENDED_RUN} AND ${OWN_RUN}
  ORDER BY r.number`;

/** The ended runs of an arm over some cases, in the order they were made. */
export async function listArmRuns(
  { pool }: Pick<Database, 'pool'>,
  { experimentId, version }: ArmOf,
  caseKeys: readonly string[],
): Promise<ArmRun[]> {
  if (caseKeys.length === 0) return [];
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'list-arm-runs',
    text: RUNS,
    values: [experimentId, version, caseKeys],
  });
  return rows.map((row) => runRow.parse(row));
}
