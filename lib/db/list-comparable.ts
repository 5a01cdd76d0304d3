import { z } from 'zod';
import type { ArmOf } from './arm-cases.ts';
import type { Database } from './database.ts';
import { ENDED_RUN, OWN_RUN } from './run-conditions.ts';

const row = z.object({
  experimentId: z.string(),
  version: z.int(),
  experimentName: z.string(),
  origin: z.string(),
  sample: z.boolean(),
  cases: z.int(),
  shared: z.int(),
  runs: z.int(),
});
/** What can be an arm of a comparison: it ran `cases`, `shared` of them with the baseline. */
export type Comparable = z.infer<typeof row>;

const LIST = `
  WITH base AS (
    SELECT DISTINCT r.case_key FROM runs r WHERE r.experiment_id = $1 AND r.experiment_version = $2 AND ${ENDED_RUN} AND ${OWN_RUN})
  SELECT r.experiment_id AS "experimentId", r.experiment_version AS version, x.name AS "experimentName", x.origin, x.sample,
    count(DISTINCT r.case_key)::int AS cases, count(DISTINCT b.case_key)::int AS shared, count(*)::int AS runs
  FROM runs r
  JOIN experiments x ON x.id = r.experiment_id
  JOIN experiment_versions v ON v.experiment_id = r.experiment_id AND v.version = r.experiment_version
  LEFT JOIN base b ON b.case_key = r.case_key
  WHERE ${ENDED_RUN} AND ${OWN_RUN} AND v.settings->>'mode' <> 'tune' AND ($3 = '' OR x.name ILIKE '%' || $3 || '%')
  GROUP BY r.experiment_id, r.experiment_version, x.name, x.origin, x.sample
  ORDER BY shared DESC, max(r.number) DESC LIMIT $4`;

/**
 * Versions of experiments that have ended runs, those that share most cases with `baseline` first, then the newest; prompts that are
 * tuned are not among them. `search`: a part of the name.
 */
export async function listComparable(
  { pool }: Pick<Database, 'pool'>,
  { baseline, search, limit }: { baseline: ArmOf | null; search: string; limit: number },
): Promise<Comparable[]> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'list-comparable',
    text: LIST,
    values: [
      baseline?.experimentId ?? null,
      baseline?.version ?? null,
      search.replace(/[\\%_]/g, (special) => `\\${special}`),
      limit,
    ],
  });
  return rows.map((one) => row.parse(one));
}
