import type { Database } from '#lib/database/database.ts';

/** An equal-cost control that has ended runs, with the arm it is the control of. */
export type ControlledArm = {
  experimentId: string;
  version: number;
  name: string;
  controlId: string;
  controlVersion: number;
};

const FIND = `
  SELECT p.id AS "experimentId", x.parent_version AS version, p.name, x.id AS "controlId", t.version AS "controlVersion"
  FROM experiments x
  JOIN experiments p ON p.id = x.parent_id
  CROSS JOIN LATERAL (SELECT max(m.experiment_version) AS version FROM run_measures m WHERE m.experiment_id = x.id) t
  WHERE x.origin = 'control' AND x.control = 'equal_cost' AND x.parent_id = ANY ($1::uuid[]) AND x.parent_version IS NOT NULL AND t.version IS NOT NULL
  ORDER BY x.created_at DESC, x.id LIMIT 1`;

/** The newest equal-cost control of one of these experiments; null where none has ended runs. */
export async function latestEqualCost(
  { pool }: Pick<Database, 'pool'>,
  experimentIds: readonly string[],
): Promise<ControlledArm | null> {
  const { rows } = await pool.query<ControlledArm>({ name: 'latest-equal-cost', text: FIND, values: [experimentIds] });
  return rows[0] ?? null;
}
