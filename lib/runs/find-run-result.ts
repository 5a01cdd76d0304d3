import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { criteriaColumn } from '#lib/datasets/criteria-column.ts';

const resultRow = z.object({
  id: z.string(),
  number: z.int(),
  status: z.string(),
  success: z.boolean(),
  convergenceReason: z.string().nullable(),
  input: z.string(),
  reference: z.string().nullable(),
  /** The version that is its result: the accepted one, else the best; null where nobody accepted one and none was scored. */
  version: z.int().nullable(),
  versionCount: z.int(),
  /** Null where the text was not kept, or there is none. */
  output: z.string().nullable(),
  score: z.number().nullable(),
  satisfactory: z.boolean(),
  criteriaScores: z.record(z.string(), z.number().nullable()),
  reasons: z.record(z.string(), z.string()),
  criteria: criteriaColumn,
});
/** What a run came to: the version that is its result, and the evaluation that counts for it. */
export type RunResult = z.infer<typeof resultRow>;

const FIND = `
  SELECT r.id, r.number, r.status, r.success, r.convergence_reason AS "convergenceReason", r.input, r.reference, r.criteria, v.number AS version,
    r.version_count AS "versionCount", CASE WHEN v.output_dropped THEN NULL ELSE v.output END AS output,
    CASE WHEN e.status = 'scored' THEN e.overall_score END AS score, coalesce(e.satisfactory, false) AS satisfactory,
    coalesce(e.criteria_scores, '{}') AS "criteriaScores", coalesce(e.reasons, '{}') AS reasons
  FROM runs r
  LEFT JOIN reflection_versions v ON v.run_id = r.id
    AND v.number = CASE WHEN r.convergence_reason = 'user_accepted' THEN r.final_version ELSE r.best_version END
  LEFT JOIN LATERAL (
    SELECT * FROM evaluations e WHERE e.run_id = r.id AND e.version = v.number
    ORDER BY (e.by = 'person' AND e.status = 'scored') DESC, e.ordinal DESC LIMIT 1) e ON true
  WHERE r.id = $1`;

/** The result of a run; null where there is no such run. */
export async function findRunResult({ pool }: Pick<Database, 'pool'>, runId: string): Promise<RunResult | null> {
  const { rows } = await pool.query<Record<string, unknown>>({ name: 'find-run-result', text: FIND, values: [runId] });
  return rows[0] === undefined ? null : resultRow.parse(rows[0]);
}
