import { z } from 'zod';
import { ENDED_STATUSES } from '#lib/core/run-statuses.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import { createStampCache } from '#lib/database/create-stamp-cache.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { outcomeRow } from '#lib/runs/batches.ts';
import {
  ARM_STAMP,
  ENDED_RUN,
  HAS_KNOWN_OUTCOME,
  OWN_RUN,
  SCORES_OF_RUN,
  UNFINISHED_RUN,
} from '#lib/runs/list-runs.ts';
import type { ArmName } from './arm-name.ts';
import type { ArmCase } from './compare-arms.ts';

/** An experiment at a version of its settings. */
export type ArmOf = { experimentId: string; version: number };

/** Results of an arm's ended runs: their cases in the order of the first run, and sums over them. */
type ArmOutcome = {
  cases: readonly ArmCase[];
  ended: number;
  failed: number;
  /** Mean over the ended runs. Null if there are none. */
  tokensPerRun: number | null;
  /** True if any of their calls had no known price. */
  unpriced: boolean;
};

// One array per column in a single JSON document, which is far faster to read than thousands of rows.
const COLUMNS_OF_CASES = `json_build_object('caseKey', coalesce(array_agg(c.key), '{}'), 'runs', coalesce(array_agg(c.runs), '{}'), 'judged', coalesce(array_agg(c.judged), '{}'),
    'solved', coalesce(array_agg(c.solved), '{}'), 'score', coalesce(array_agg(c.score), '{}'), 'costUsd', coalesce(array_agg(c.cost), '{}'))`;
const columns = z
  .object({
    caseKey: z.array(z.string()),
    runs: z.array(z.int()),
    judged: z.array(z.int()),
    solved: z.array(z.number().nullable()),
    score: z.array(z.number().nullable()),
    costUsd: z.array(z.number()),
  })
  .transform(({ caseKey, runs, judged, solved, score, costUsd }): ArmCase[] =>
    caseKey.map((key, index) => ({
      caseKey: key,
      runs: runs[index] ?? 0,
      judged: judged[index] ?? 0,
      solved: solved[index] ?? null,
      score: score[index] ?? null,
      costUsd: costUsd[index] ?? 0,
    })),
  );
const armOutcomeRow = z.object({
  cases: columns,
  ended: z.int(),
  failed: z.int(),
  tokensPerRun: z.number().nullable(),
  unpriced: z.boolean(),
});

const OUTCOME = `
  SELECT ${COLUMNS_OF_CASES} AS cases, coalesce(sum(c.runs), 0)::int AS ended, coalesce(sum(c.failed), 0)::int AS failed,
    (sum(c.tokens) / sum(c.runs))::float8 AS "tokensPerRun", coalesce(bool_or(c.unpriced), false) AS unpriced
  FROM (
    SELECT r.case_key AS key, count(*)::int AS runs,
      count(*) FILTER (WHERE ${HAS_KNOWN_OUTCOME})::int AS judged, (avg(r.success::int) FILTER (WHERE ${HAS_KNOWN_OUTCOME}))::float8 AS solved,
      avg(r.best_score) AS score, avg(r.cost_usd) AS cost, min(r.number) AS place, count(*) FILTER (WHERE r.status = 'failed') AS failed,
      sum((r.input_tokens + r.output_tokens)::bigint) AS tokens, bool_or(r.unpriced) AS unpriced
    FROM runs r
    WHERE r.experiment_id = $1 AND r.experiment_version = $2 AND ${ENDED_RUN} AND ${OWN_RUN}
    GROUP BY r.case_key ORDER BY place) c`;

/** Computes the results of an arm from all its ended runs. */
export async function computeArm({ prisma }: DatabaseClient, { experimentId, version }: ArmOf): Promise<ArmOutcome> {
  const rows = await prisma.$queryRawUnsafe<unknown[]>(OUTCOME, experimentId, version);
  return armOutcomeRow.parse(rows[0]);
}

/** Approximate memory limit for cached results, and the size of one case including its key. */
const MAX_CACHE_BYTES = 24_000_000;
const CASE_BYTES = 200;
const outcomes = createStampCache<ArmOutcome>(MAX_CACHE_BYTES, ({ cases }) => 500 + cases.length * CASE_BYTES);

/** Like `computeArm`, but cached until a run of the arm changes. `stamp`: from `findArm`. */
function armOutcome(database: DatabaseClient, arm: ArmOf, stamp: string): Promise<ArmOutcome> {
  return outcomes(`${arm.experimentId}@${arm.version}`, stamp, () => computeArm(database, arm));
}

// A run within the limit keeps its results. A longer one gets those of its first versions, possibly none of which is scored. The result is
// null if a run has no measures.
const CUT = `
  SELECT CASE WHEN count(*) FILTER (WHERE c.unmeasured) > 0 THEN NULL ELSE
    ${COLUMNS_OF_CASES} END AS cases
  FROM (
    SELECT r.case_key AS key, count(*)::int AS runs, 0::float8 AS cost, bool_or(m.run_id IS NULL) AS unmeasured, min(r.number) AS place,
      count(t.solved)::int AS judged, avg(t.solved::int)::float8 AS solved, avg(s.best) AS score
    FROM runs r LEFT JOIN run_measures m ON m.run_id = r.id
    CROSS JOIN LATERAL (SELECT CASE WHEN r.version_count <= $3 THEN r.best_score ELSE (
      SELECT max(s.score::float8) FROM jsonb_array_elements_text(m.scores) WITH ORDINALITY AS s(score, place) WHERE s.place <= $3) END AS best) s
    CROSS JOIN LATERAL (SELECT CASE WHEN r.version_count <= $3 THEN CASE WHEN ${HAS_KNOWN_OUTCOME} THEN r.success END
      WHEN s.best IS NOT NULL THEN coalesce(m.solved_at, $3) < $3 END AS solved) t
    WHERE r.experiment_id = $1 AND r.experiment_version = $2 AND ${ENDED_RUN} AND ${OWN_RUN}
    GROUP BY r.case_key ORDER BY place) c`;

/**
 * Returns the same cases as if each run had ended after its first `versions` versions, by their scores. Null while measures of a run are
 * still to be computed. Costs are omitted.
 */
export async function listCutArmCases(
  { prisma }: DatabaseClient,
  { experimentId, version }: ArmOf,
  versions: number,
): Promise<ArmCase[] | null> {
  const rows = await prisma.$queryRawUnsafe<unknown[]>(CUT, experimentId, version, versions);
  return z.object({ cases: columns.nullable() }).parse(rows[0]).cases;
}

const runRow = outcomeRow.omit({ isBranch: true, isLimited: true }).extend({
  id: z.string(),
  number: z.int(),
  /** Beginning of the run's input: a short excerpt as the title, and a longer one. */
  title: z.string(),
  input: z.string(),
  status: z.enum(ENDED_STATUSES),
  stopReason: z.enum(STOP_REASONS).nullable(),
  /** Scores by version, null if unscored. */
  scores: z.array(z.number().nullable()),
});
export type ArmRun = z.infer<typeof runRow>;

const RUNS = `
  SELECT r.id, r.number, r.case_key AS "caseKey", left(r.input, 160) AS title, left(r.input, 200) AS input, r.status,
    r.convergence_reason AS "stopReason", r.success, r.satisfied, r.first_score AS "firstScore", r.best_score AS "bestScore",
    r.input_tokens AS "inputTokens", r.output_tokens AS "outputTokens", r.cost_usd AS "costUsd", r.unpriced,
    coalesce(m.scores::json, ${SCORES_OF_RUN}) AS scores
  FROM runs r LEFT JOIN run_measures m ON m.run_id = r.id
  WHERE r.experiment_id = $1 AND r.experiment_version = $2 AND ${ENDED_RUN} AND ${OWN_RUN}`;

/** Lists the ended runs of an arm in order of creation, for some or all cases. Branches are omitted. */
export async function listArmRuns(
  { prisma }: DatabaseClient,
  { experimentId, version }: ArmOf,
  caseKeys: readonly string[] | 'all',
): Promise<ArmRun[]> {
  if (caseKeys.length === 0) return [];
  const rows = await prisma.$queryRawUnsafe<unknown[]>(
    `${RUNS} ${caseKeys === 'all' ? '' : 'AND r.case_key = ANY ($3)'} ORDER BY r.number`,
    ...[experimentId, version, ...(caseKeys === 'all' ? [] : [caseKeys])],
  );
  return z.array(runRow).parse(rows);
}

const armRow = z.object({
  experimentId: z.string(),
  version: z.int(),
  experimentName: z.string(),
  sample: z.boolean(),
  origin: z.string(),
  control: z.string().nullable(),
  parentId: z.string().nullable(),
  parentVersion: z.int().nullable(),
  message: z.string().nullable(),
  settings: settingsSchema,
  /** Unfinished runs with these settings. Branches are excluded, here and in the results. */
  underWay: z.int(),
  /** Stamp that changes when any of the ended runs changes. */
  stamp: z.string(),
});
/** An arm of a comparison, with the aggregated outcome of its ended runs. */
export type FoundArm = z.infer<typeof armRow> & ArmOutcome;

const FIND = `
  SELECT x.id AS "experimentId", v.version, x.name AS "experimentName", x.sample, x.origin, x.control, x.parent_id AS "parentId",
    x.parent_version AS "parentVersion", v.message, v.settings,
    (SELECT count(*)::int FROM runs r WHERE r.experiment_id = x.id AND r.experiment_version = v.version AND ${UNFINISHED_RUN} AND ${OWN_RUN}) AS "underWay",
    (${ARM_STAMP}) AS stamp
  FROM experiments x
  JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = coalesce($2,
    (SELECT max(r.experiment_version) FROM runs r WHERE r.experiment_id = x.id AND ${ENDED_RUN} AND ${OWN_RUN}), x.latest_version)
  WHERE x.id = $1`;

/** Returns an arm of a comparison with its version resolved. Returns null if the experiment or that version of it does not exist. */
export async function findArm({ prisma }: DatabaseClient, name: ArmName): Promise<FoundArm | null> {
  const rows = await prisma.$queryRawUnsafe<unknown[]>(FIND, name.experimentId, name.version);
  if (rows[0] === undefined) return null;
  const arm = armRow.parse(rows[0]);
  return { ...arm, ...(await armOutcome({ prisma }, arm, arm.stamp)) };
}

const offeredRow = z.object({
  experimentId: z.string(),
  version: z.int(),
  experimentName: z.string(),
  origin: z.string(),
  sample: z.boolean(),
  stamp: z.string(),
  baseStamp: z.string(),
});
const countsRow = z.object({ cases: z.int(), shared: z.int(), runs: z.int(), newest: z.int() });
type Offered = z.infer<typeof offeredRow>;
type Counts = z.infer<typeof countsRow>;

/** An experiment version that can be an arm of a comparison. It ran `cases`, `shared` of them with the baseline. */
type Comparable = Omit<Offered, 'stamp' | 'baseStamp'> & Omit<Counts, 'newest'>;

const OFFERED = `
  SELECT x.id AS "experimentId", v.version, x.name AS "experimentName", x.origin, x.sample, (${ARM_STAMP}) AS stamp,
    coalesce((SELECT (${ARM_STAMP}) FROM experiments x JOIN experiment_versions v ON v.experiment_id = x.id WHERE x.id = $2 AND v.version = $3), '') AS "baseStamp"
  FROM experiments x JOIN experiment_versions v ON v.experiment_id = x.id
  WHERE v.settings->>'mode' <> 'tune' AND ($1 = '' OR x.name ILIKE '%' || $1 || '%')
    AND EXISTS (SELECT 1 FROM batches b WHERE b.experiment_id = x.id AND b.experiment_version = v.version)`;

const COMPARABLE_COUNTS = `
  SELECT count(DISTINCT r.case_key)::int AS cases, count(*)::int AS runs, coalesce(max(r.number), 0) AS newest,
    count(DISTINCT r.case_key) FILTER (WHERE EXISTS (
      SELECT 1 FROM runs r2 WHERE r2.experiment_id = $3 AND r2.experiment_version = $4 AND r2.case_key = r.case_key
        AND r2.status IN ('finished', 'failed', 'stopped') AND r2.branched_from_version IS NULL))::int AS shared
  FROM runs r WHERE r.experiment_id = $1 AND r.experiment_version = $2 AND ${ENDED_RUN} AND ${OWN_RUN}`;

const MAX_COUNTS_CACHE_BYTES = 4_000_000;
const COUNTS_BYTES = 400;
const counts = createStampCache<Counts>(MAX_COUNTS_CACHE_BYTES, () => COUNTS_BYTES);

/**
 * Lists experiment versions that have ended runs, except prompt tuning. Those that share most cases with `baseline` come first, then the
 * newest. `search` is a part of the name. Only reads the runs of versions that changed since they were last counted.
 */
export async function listComparable(
  { prisma }: DatabaseClient,
  { baseline, search, limit }: { baseline: ArmOf | null; search: string; limit: number },
): Promise<Comparable[]> {
  const offered = await prisma.$queryRawUnsafe<unknown[]>(
    OFFERED,
    search.replace(/[\\%_]/g, (special) => `\\${special}`),
    baseline?.experimentId ?? null,
    baseline?.version ?? null,
  );
  const counted = await Promise.all(
    offered.map(async (row) => {
      const { stamp, baseStamp, ...arm } = offeredRow.parse(row);
      const key = `${nameOf(arm)} ${baseline === null ? '' : nameOf(baseline)}`;
      return { ...arm, ...(await counts(key, `${stamp}, ${baseStamp}`, () => countArm({ prisma }, arm, baseline))) };
    }),
  );
  return counted
    .filter(({ runs }) => runs > 0)
    .sort((one, other) => other.shared - one.shared || other.newest - one.newest)
    .slice(0, limit)
    .map(({ newest: _newest, ...arm }) => arm);
}

async function countArm({ prisma }: DatabaseClient, arm: ArmOf, baseline: ArmOf | null): Promise<Counts> {
  const rows = await prisma.$queryRawUnsafe<unknown[]>(
    COMPARABLE_COUNTS,
    arm.experimentId,
    arm.version,
    baseline?.experimentId ?? null,
    baseline?.version ?? null,
  );
  return countsRow.parse(rows[0]);
}

function nameOf({ experimentId, version }: ArmOf): string {
  return `${experimentId}@${version}`;
}
