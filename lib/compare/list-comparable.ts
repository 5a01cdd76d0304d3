import { z } from 'zod';
import { cachedByStamp } from '#lib/database/cached-by-stamp.ts';
import type { Database } from '#lib/database/database.ts';
import { ARM_STAMP, ENDED_RUN, OWN_RUN } from '#lib/runs/list-runs.ts';
import type { ArmOf } from './arm-cases.ts';

const offeredRow = z.object({
  experimentId: z.string(),
  version: z.int(),
  experimentName: z.string(),
  origin: z.string(),
  sample: z.boolean(),
  stamp: z.string(),
});
const countsRow = z.object({ cases: z.int(), shared: z.int(), runs: z.int(), newest: z.int() });
type Offered = z.infer<typeof offeredRow>;
type Counts = z.infer<typeof countsRow>;

/** What can be an arm of a comparison: it ran `cases`, `shared` of them with the baseline. */
export type Comparable = Omit<Offered, 'stamp'> & Omit<Counts, 'newest'>;

const OFFERED = `
  SELECT x.id AS "experimentId", v.version, x.name AS "experimentName", x.origin, x.sample, (${ARM_STAMP}) AS stamp
  FROM experiments x JOIN experiment_versions v ON v.experiment_id = x.id
  WHERE v.settings->>'mode' <> 'tune' AND ($1 = '' OR x.name ILIKE '%' || $1 || '%')
    AND EXISTS (SELECT 1 FROM batches b WHERE b.experiment_id = x.id AND b.experiment_version = v.version)`;

const STAMP = `
  SELECT (${ARM_STAMP}) AS stamp FROM experiments x JOIN experiment_versions v ON v.experiment_id = x.id WHERE x.id = $1 AND v.version = $2`;

const COUNTS = `
  SELECT count(DISTINCT r.case_key)::int AS cases, count(*)::int AS runs, coalesce(max(r.number), 0) AS newest,
    count(DISTINCT r.case_key) FILTER (WHERE EXISTS (
      SELECT 1 FROM runs r2 WHERE r2.experiment_id = $3 AND r2.experiment_version = $4 AND r2.case_key = r.case_key
        AND r2.status IN ('finished', 'failed', 'stopped') AND r2.branched_from_version IS NULL))::int AS shared
  FROM runs r WHERE r.experiment_id = $1 AND r.experiment_version = $2 AND ${ENDED_RUN} AND ${OWN_RUN}`;

const MOST_BYTES = 4_000_000;
const COUNTS_BYTES = 400;
const counts = cachedByStamp<Counts>(MOST_BYTES, () => COUNTS_BYTES);

/**
 * Versions of experiments that have ended runs, those that share most cases with `baseline` first, then the newest; prompts that are
 * tuned are not among them. `search`: a part of the name. Runs are read only of those that have changed since they were counted.
 */
export async function listComparable(
  { pool }: Pick<Database, 'pool'>,
  { baseline, search, limit }: { baseline: ArmOf | null; search: string; limit: number },
): Promise<Comparable[]> {
  const [offered, base] = await Promise.all([
    pool.query<Record<string, unknown>>({
      name: 'offered-arms',
      text: OFFERED,
      values: [search.replace(/[\\%_]/g, (special) => `\\${special}`)],
    }),
    baseline === null ? null : pool.query<{ stamp: string }>(STAMP, [baseline.experimentId, baseline.version]),
  ]);
  const baseStamp = base?.rows[0]?.stamp ?? '';
  const counted = await Promise.all(
    offered.rows.map(async (row) => {
      const { stamp, ...arm } = offeredRow.parse(row);
      const key = `${nameOf(arm)} ${baseline === null ? '' : nameOf(baseline)}`;
      return { ...arm, ...(await counts(key, `${stamp}, ${baseStamp}`, () => countArm({ pool }, arm, baseline))) };
    }),
  );
  return counted
    .filter(({ runs }) => runs > 0)
    .sort((one, other) => other.shared - one.shared || other.newest - one.newest)
    .slice(0, limit)
    .map(({ newest: _newest, ...arm }) => arm);
}

async function countArm({ pool }: Pick<Database, 'pool'>, arm: ArmOf, baseline: ArmOf | null): Promise<Counts> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'count-comparable',
    text: COUNTS,
    values: [arm.experimentId, arm.version, baseline?.experimentId ?? null, baseline?.version ?? null],
  });
  return countsRow.parse(rows[0]);
}

function nameOf({ experimentId, version }: ArmOf): string {
  return `${experimentId}@${version}`;
}
