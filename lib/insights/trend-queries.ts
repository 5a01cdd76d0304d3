import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { ENDED_RUN, OWN_RUN, TELLING_RUN } from '#lib/runs/list-runs.ts';

const count = z.int();
const amount = z.number().nullable();
const rowSchema = z.object({
  key: z.string(),
  ended: count,
  unscored: count,
  solved: count,
  scored: count,
  scoreMean: amount,
  scoreDeviation: amount,
  priced: count,
  unpriced: count,
  costMean: amount,
  costDeviation: amount,
});
export type TrendRow = z.infer<typeof rowSchema>;

const SUMS = `count(*)::int AS ended, count(*) FILTER (WHERE NOT ${TELLING_RUN})::int AS unscored,
  count(*) FILTER (WHERE r.success)::int AS solved, count(r.best_score)::int AS scored,
  avg(r.best_score) AS "scoreMean", stddev_samp(r.best_score) AS "scoreDeviation",
  count(*) FILTER (WHERE NOT r.unpriced)::int AS priced, count(*) FILTER (WHERE r.unpriced)::int AS unpriced,
  avg(r.cost_usd) FILTER (WHERE NOT r.unpriced) AS "costMean",
  stddev_samp(r.cost_usd) FILTER (WHERE NOT r.unpriced) AS "costDeviation"`;

const WEEKS = `
  SELECT to_char(date_trunc('week', r.finished_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD') AS key, ${SUMS}
  FROM runs r WHERE r.experiment_id = ANY ($1::uuid[]) AND ${ENDED_RUN} AND ${OWN_RUN} AND r.finished_at >= $2
  GROUP BY 1`;

/** Most versions of one experiment that are drawn, the newest. */
const MOST_VERSIONS = 50;

const VERSIONS = `
  SELECT key::text, ended, unscored, solved, scored, "scoreMean", "scoreDeviation", priced, unpriced, "costMean", "costDeviation" FROM (
    SELECT r.experiment_version AS key, ${SUMS}
    FROM runs r WHERE r.experiment_id = $1::uuid AND ${ENDED_RUN} AND ${OWN_RUN}
    GROUP BY 1 ORDER BY 1 DESC LIMIT ${MOST_VERSIONS}) newest ORDER BY newest.key`;

/** What the ended runs of these experiments come to, week by week by UTC. */
export async function trendsByWeek(
  { prisma }: Pick<Database, 'prisma'>,
  experimentIds: readonly string[],
  since: Date,
): Promise<TrendRow[]> {
  if (experimentIds.length === 0) return [];
  return z.array(rowSchema).parse(await prisma.$queryRawUnsafe(WEEKS, experimentIds, since));
}

/** What the ended runs of an experiment come to under each version of its settings, the oldest first. */
export async function trendsByVersion({ prisma }: Pick<Database, 'prisma'>, experimentId: string): Promise<TrendRow[]> {
  return z.array(rowSchema).parse(await prisma.$queryRawUnsafe(VERSIONS, experimentId));
}
