import { z } from 'zod';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { IS_PRACTICE } from '#lib/experiments/list-experiments.ts';
import { ENDED_RUN, HAS_KNOWN_OUTCOME } from '#lib/runs/list-runs.ts';
import { type CountedShare, summedShare } from '#lib/statistics/shares.ts';

/** Maximum count. A value equal to `MAX_OVERVIEW_COUNT` means that many or more. */
export const MAX_OVERVIEW_COUNT = 10_000;
/** Maximum number of failures counted. Above it, no number is shown. */
export const MAX_FAILED_RUNS = 100;
/** Failures older than this are not shown. */
export const FAILED_DAYS = 7;

/** Maximum number of runs per experiment in a trend, the newest. */
const MAX_TREND_RUNS = 1_000;
/** Results of the ended runs of one settings version: the share that succeeded, and their number of cases. */
export type VersionSuccess = { version: number; cases: number; solved: CountedShare };
/** Success rate of an experiment's runs by settings version, oldest first. */
export type ExperimentTrend = { id: string; name: string; isPractice: boolean; versions: VersionSuccess[] };

/** A prompt version with a label, and the time the label was moved there. */
type LabelledPrompt = { name: string; label: string; version: number; movedBy: string; movedAt: string };

/** Monthly cost of a provider's models in US dollars. `unpriced` is the number of calls without a known price. */
export type ProviderSpend = { provider: string; costUsd: number; unpriced: number };

/** Counts runs of a status with an index, up to `MAX_OVERVIEW_COUNT`. */
const countOf = (status: string) =>
  `(SELECT count(*)::int FROM (SELECT 1 FROM runs WHERE status = '${status}' LIMIT ${MAX_OVERVIEW_COUNT}) counted)`;

const OVERVIEW = `
  SELECT ${countOf('waiting')} AS waiting, ${countOf('running')} AS running, ${countOf('queued')} AS queued,
    (SELECT least(coalesce(sum(review), 0), ${MAX_OVERVIEW_COUNT})::int FROM lesson_totals) AS "lessonsToReview",
    (EXISTS (SELECT 1 FROM experiments WHERE NOT sample) OR EXISTS (SELECT 1 FROM prompts WHERE name <> ALL ($1::text[]))) AS "hasOwn"`;

const overviewRow = z.object({
  waiting: z.int(),
  running: z.int(),
  queued: z.int(),
  lessonsToReview: z.int(),
  hasOwn: z.boolean(),
});
/** Counts of active and waiting work. `hasOwn` is true if people have created anything. */
type Overview = z.infer<typeof overviewRow>;

/** `samplePrompts`: names of the built-in sample prompts. */
export async function findOverview({ prisma }: DatabaseClient, samplePrompts: readonly string[]): Promise<Overview> {
  const [row] = await prisma.$queryRawUnsafe<unknown[]>(OVERVIEW, samplePrompts);
  return overviewRow.parse(row);
}

const FAILED = `
  SELECT f.id, f.number, left(f.input, 200) AS input, x.name AS "experimentName", left(coalesce(f.failure->>'message', ''), 300) AS message,
    f.convergence_reason AS reason, f.finished_at AS "finishedAt", count(*) OVER ()::int AS total
  FROM (SELECT * FROM runs WHERE status = 'failed' ORDER BY number DESC LIMIT ${MAX_FAILED_RUNS}) f JOIN experiments x ON x.id = f.experiment_id
  WHERE f.finished_at >= $1 ORDER BY f.number DESC LIMIT $2`;

const failedRow = z.object({
  id: z.string(),
  number: z.int(),
  input: z.string(),
  experimentName: z.string(),
  /** Empty if no model call failed. */
  message: z.string(),
  reason: z.enum(STOP_REASONS).nullable(),
  finishedAt: z.date().transform((date) => date.toISOString()),
  total: z.int(),
});
/** A run that failed recently. */
export type FailedRun = Omit<z.infer<typeof failedRow>, 'total'>;

/** Returns the newest runs that failed in the last days, and their number, up to `MAX_FAILED_RUNS`. */
export async function findFailedRuns(
  { prisma }: DatabaseClient,
  now: Date,
  limit: number,
): Promise<{ runs: FailedRun[]; total: number }> {
  const since = new Date(now.getTime() - FAILED_DAYS * 86_400_000);
  const rows = await prisma.$queryRawUnsafe<unknown[]>(FAILED, since, limit);
  const failed = rows.map((row) => failedRow.parse(row));
  return { runs: failed.map(({ total: _, ...run }) => run), total: failed[0]?.total ?? 0 };
}

/** Maximum number of settings versions in a trend. */
const MAX_VERSIONS = 8;

const TRENDS = `
  SELECT p.id, x.name, coalesce(${IS_PRACTICE}, false) AS "isPractice", t.versions
  FROM (SELECT experiment_id AS id, max(created_at) AS at FROM batches GROUP BY 1 ORDER BY 2 DESC LIMIT $1) p
  JOIN experiments x ON x.id = p.id JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
  CROSS JOIN LATERAL (
    SELECT json_agg(s ORDER BY s.version) AS versions FROM (
      SELECT version, sum(m)::int AS met, sum(o)::int AS "of", count(*)::int AS clusters, sum(m * m)::int AS "metMet", sum(m * o)::int AS "metOf",
        sum(o * o)::int AS "ofOf"
      FROM (SELECT experiment_version AS version, case_key, count(*) FILTER (WHERE success)::int AS m, count(*)::int AS o
        FROM (SELECT experiment_version, case_key, status, success, best_score FROM runs WHERE experiment_id = p.id
          ORDER BY number DESC LIMIT ${MAX_TREND_RUNS}) r
        WHERE ${ENDED_RUN} AND ${HAS_KNOWN_OUTCOME} GROUP BY 1, 2) cases
      GROUP BY 1 ORDER BY 1 DESC LIMIT ${MAX_VERSIONS}) s) t
  ORDER BY p.at DESC`;

const count = z.int().min(0);
const versionRow = z
  .object({ version: z.int(), met: count, of: count, clusters: count, metMet: count, metOf: count, ofOf: count })
  .transform(({ version, ...sums }) => ({ version, cases: sums.clusters, solved: summedShare(sums) }));
const trendRow = z.object({
  id: z.string(),
  name: z.string(),
  isPractice: z.boolean(),
  versions: z
    .array(versionRow)
    .nullable()
    .transform((versions) => versions ?? []),
});

/**
 * Lists the most recently started experiments, with the success of their newest runs by version. Intervals are based on cases, because runs
 * of one case are similar.
 */
export async function listTrends({ prisma }: DatabaseClient, limit: number): Promise<ExperimentTrend[]> {
  const rows = await prisma.$queryRawUnsafe<unknown[]>(TRENDS, limit);
  return rows.map((row) => trendRow.parse(row));
}

/** Lists labels by the time they were moved, latest first. */
export async function listLabelledPrompts({ prisma }: DatabaseClient, limit: number): Promise<LabelledPrompt[]> {
  const rows = await prisma.promptLabel.findMany({ orderBy: { movedAt: 'desc' }, take: limit });
  return rows.map(({ promptName, label, version, movedBy, movedAt }) => ({
    ...{ name: promptName, label, version, movedBy },
    movedAt: movedAt.toISOString(),
  }));
}

const SPEND = `
  SELECT provider, sum(cost)::float8 AS "costUsd", sum(unpriced)::int AS unpriced FROM (
    SELECT provider, coalesce(sum(cost_usd), 0) AS cost, count(*) FILTER (WHERE cost_usd IS NULL AND attempts > 0) AS unpriced
    FROM model_calls WHERE created_at >= $1 GROUP BY provider
    UNION ALL SELECT provider, sum(cost_usd), sum(unpriced_calls) FROM other_spend WHERE created_at >= $1 GROUP BY provider) s
  GROUP BY provider ORDER BY 2 DESC, provider`;

const spendRow = z.object({ provider: z.string(), costUsd: z.number(), unpriced: z.int() });

/** Returns the cost of each provider's models since a moment, highest first. Reads every call since then. */
export async function sumSpend({ prisma }: DatabaseClient, since: Date): Promise<ProviderSpend[]> {
  const rows = await prisma.$queryRawUnsafe<unknown[]>(SPEND, since);
  return rows.map((row) => spendRow.parse(row));
}
