import { z } from 'zod';
import { overallOf } from '#lib/core/score-evaluation.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { ENDED_RUN, HAS_KNOWN_OUTCOME, OWN_RUN } from '#lib/runs/list-runs.ts';
import { withoutPeople } from '#lib/runs/run-facts.ts';
import { RUN_AMOUNTS, totalsOf } from '#lib/runs/run-measures.ts';
import { judgedPairSchema } from '#lib/statistics/judged-pairs.ts';
import { reportRescores } from '#lib/statistics/rescore-report.ts';
import { type SummedShare, sumShares } from '#lib/statistics/shares.ts';
import { ARMS, type ArmsInTime, armValues, ofArm, TARGET_CONDITIONS } from './queries.ts';
import { clusteredShareSchema, type InsightsSums, insightsSumsSchema, MAX_JUDGED_RUNS } from './schema.ts';

function shareOf(target: keyof typeof TARGET_CONDITIONS): string {
  const { counts, met } = TARGET_CONDITIONS[target];
  return `json_build_object('met', count(*) FILTER (WHERE ${counts} AND ${met}), 'of', count(*) FILTER (WHERE ${counts}))`;
}

function clusteredShare(met: string, of: string): string {
  const sum = (what: string) => `coalesce(sum(${what}), 0)`;
  return `json_build_object('met', ${sum(met)}, 'of', ${sum(of)}, 'clusters', count(*) FILTER (WHERE ${of} > 0),
    'metMet', ${sum(`${met} * ${met}`)}, 'metOf', ${sum(`${met} * ${of}`)}, 'ofOf', ${sum(`${of} * ${of}`)})`;
}

function totalShare(met: string, of: string): string {
  return `json_build_object('met', sum(${met}), 'of', sum(${of}))`;
}

function totalClusteredShare(share: 'issues' | 'corrected' | 'introduced' | 'repeats'): string {
  const sum = (part: string) => `sum(${share}_${part})`;
  return `json_build_object('met', ${sum('met')}, 'of', ${sum('of')}, 'clusters', ${sum('clusters')}, 'metMet', ${sum('met_met')},
    'metOf', ${sum('met_of')}, 'ofOf', ${sum('of_of')})`;
}

/** For all time, uses the precomputed totals, so that only uncounted runs are read. */
const TOTALS = `
  ${ARMS}
  SELECT a.place, sum(own_runs)::int AS runs, sum(measured)::int AS ended,
    ${totalShare('final_better_met', 'final_better_of')} AS "finalBetter",
    ${totalShare('CASE WHEN a.within < 3 THEN solved_within_2 ELSE solved_within_3 END', 'scored_runs')} AS "withinThree",
    ${totalShare('ended_by_rule_met', 'ended_by_rule_of')} AS "endedByRule",
    ${totalClusteredShare('issues')} AS issues, ${totalClusteredShare('corrected')} AS corrected,
    ${totalClusteredShare('introduced')} AS introduced, ${totalClusteredShare('repeats')} AS repeats,
    sum(evaluations)::int AS evaluations, sum(unscored_evaluations)::int AS unscored, sum(measured_solved)::int AS solved,
    sum(measured_cost_usd)::float8 AS "costUsd", sum(measured_unpriced) > 0 AS unpriced, sum(gain)::float8 AS gain, sum(gained)::int AS gained
  FROM arms a
  CROSS JOIN LATERAL ${totalsOf('a.experiment_id', RUN_AMOUNTS)} t
  WHERE $4::timestamptz IS NULL AND t.experiment_version = a.version
  GROUP BY a.place HAVING sum(own_runs) > 0 ORDER BY a.place`;

// A run without computed measures does not count as ended.
const SUMS = `
  ${ARMS}
  SELECT a.place, count(*)::int AS runs, count(m.run_id)::int AS ended,
    ${shareOf('final_better')} AS "finalBetter", ${shareOf('within_three')} AS "withinThree", ${shareOf('ended_by_rule')} AS "endedByRule",
    ${clusteredShare('m.issues_resolved', 'm.issues_named')} AS issues, ${clusteredShare('m.checks_corrected', 'm.checks_failing')} AS corrected,
    ${clusteredShare('m.checks_introduced', 'm.checks_passing')} AS introduced, ${clusteredShare('m.repeated_answers', 'm.retries_after_fail')} AS repeats,
    coalesce(sum(m.evaluations), 0)::int AS evaluations, coalesce(sum(m.unscored), 0)::int AS unscored,
    count(*) FILTER (WHERE m.run_id IS NOT NULL AND r.success)::int AS solved,
    coalesce(sum(r.cost_usd) FILTER (WHERE m.run_id IS NOT NULL), 0) AS "costUsd",
    coalesce(bool_or(r.unpriced) FILTER (WHERE m.run_id IS NOT NULL), false) AS unpriced,
    coalesce(sum(m.best_score - m.first_score), 0) AS gain, count(m.first_score)::int AS gained
  FROM arms a
  JOIN runs r ON ${ofArm('r')}
  LEFT JOIN run_measures m ON m.run_id = r.id
  WHERE ${OWN_RUN} AND (NOT ${ENDED_RUN} OR $4::timestamptz IS NULL OR r.finished_at >= $4)
  GROUP BY a.place ORDER BY a.place`;

/** The targets with one item per run. */
const RUN_TARGETS = ['final_better', 'within_three', 'ended_by_rule'] as const;

/** Number of runs that are read to find out if cases have several runs. */
const CHECKED_RUNS = 50;

/**
 * SQL: true if some of the first cases of arm `a` have several runs. Reads a limited part of an index in which runs of a case are adjacent.
 */
const REPEATS_CASES = `(
  SELECT count(*) > count(DISTINCT c.case_key) FROM (
    SELECT case_key FROM runs WHERE experiment_id = a.experiment_id AND experiment_version = a.version AND branched_from_version IS NULL
    ORDER BY case_key LIMIT ${CHECKED_RUNS}) c)`;

// Reads all runs of an arm, so only of those with several runs of a case. For others, runs are cases.
const BY_CASE = `
  ${ARMS},
  repeated AS MATERIALIZED (SELECT * FROM arms a WHERE ${REPEATS_CASES})
  SELECT a.place, ${clusteredShare('c.final_better_met', 'c.final_better_of')} AS "finalBetter",
    ${clusteredShare('c.within_three_met', 'c.within_three_of')} AS "withinThree", ${clusteredShare('c.ended_by_rule_met', 'c.ended_by_rule_of')} AS "endedByRule"
  FROM repeated a
  CROSS JOIN LATERAL (
    SELECT ${RUN_TARGETS.map((target) => countsOf(target)).join(', ')}
    FROM runs r JOIN run_measures m ON m.run_id = r.id
    WHERE ${ofArm('r')} AND ${OWN_RUN} AND ($4::timestamptz IS NULL OR r.finished_at >= $4)
    GROUP BY r.case_key) c
  GROUP BY a.place`;

function countsOf(target: (typeof RUN_TARGETS)[number]): string {
  const { counts, met } = TARGET_CONDITIONS[target];
  return `count(*) FILTER (WHERE ${counts} AND ${met}) AS ${target}_met, count(*) FILTER (WHERE ${counts}) AS ${target}_of`;
}

const JUDGED = `
  ${ARMS}
  SELECT coalesce(json_agg(json_build_object('place', j.place, 'runId', j.run_id, 'judged', j.judged)), '[]') AS runs
  FROM (
    SELECT a.place, m.run_id, m.judged
    FROM arms a JOIN run_measures m ON ${ofArm('m')}
    JOIN runs r ON r.id = m.run_id
    WHERE m.judged <> '[]' AND ${OWN_RUN} AND ($4::timestamptz IS NULL OR m.ended_at >= $4)
    ORDER BY m.ended_at DESC LIMIT ${MAX_JUDGED_RUNS}) j`;

/** A share of runs that all have different cases. */
const runShare = z
  .object({ met: z.int(), of: z.int() })
  .transform(({ met, of }) => ({ met, of, clusters: of, metMet: met, metOf: met, ofOf: of }));
const sumRows = z.array(
  insightsSumsSchema
    .omit({ experimentId: true, version: true, name: true, practice: true, selfJudged: true, qualityThreshold: true })
    .omit({ alike: true, pairs: true })
    .extend({ place: z.int(), finalBetter: runShare, withinThree: runShare, endedByRule: runShare }),
);
const caseRows = z.array(
  insightsSumsSchema.pick({ finalBetter: true, withinThree: true, endedByRule: true }).extend({ place: z.int() }),
);
const judgedRuns = z.array(z.object({ place: z.int(), runId: z.string(), judged: z.array(judgedPairSchema) }));

/**
 * Returns the sums of each arm's runs, in arm order. Arms without runs in that time are left out. Branches never count. Judgements come
 * from the newest `MAX_JUDGED_RUNS` runs that have any.
 */
export async function insightsSums(database: DatabaseClient, scope: ArmsInTime): Promise<InsightsSums[]> {
  const values = armValues(scope);
  const [sums, byCase, judged, alike] = await Promise.all([
    database.prisma.$queryRawUnsafe(scope.since === null ? TOTALS : SUMS, ...values),
    database.prisma.$queryRawUnsafe(BY_CASE, ...values),
    database.prisma.$queryRawUnsafe<{ runs: unknown }[]>(JUDGED, ...values),
    findRescoreAgreement(database, scope),
  ]);
  const ofCases = new Map(caseRows.parse(byCase).map(({ place, ...shares }) => [place, shares]));
  const runs = judgedRuns.parse(judged[0]?.runs);
  return sumRows.parse(sums).flatMap(({ place, ...sum }) => {
    const arm = scope.arms[place];
    const rescored = alike[place];
    if (arm === undefined || rescored === undefined) return [];
    const { experimentId, version, name, practice, selfJudged, qualityThreshold } = arm;
    const { runIds: _runIds, partedRunIds: _partedRunIds, ...ofRescores } = rescored;
    return {
      ...{ experimentId, version, name, practice, selfJudged, qualityThreshold },
      ...sum,
      ...ofCases.get(place),
      alike: ofRescores,
      pairs: runs
        .filter((run) => run.place === place)
        .flatMap(({ runId, judged: pairs }) => pairs.map((pair) => ({ ...pair, runId }))),
    };
  });
}

/**
 * Re-scores of an arm's runs that can be compared with the run's own score: `met` of `of` differ by at most 0.1, over `outputs` outputs.
 * Clusters are runs.
 */
type RescoreAgreement = SummedShare & {
  outputs: number;
  largestDistance: number | null;
  /** Runs with a re-score, and those with one that differs more. */
  runIds: string[];
  partedRunIds: string[];
};

/** More than are requested in years. Each is compared with its version's own score. */
const MAX_RESCORES = 20_000;

const OUTPUTS = `
  ${ARMS}
  SELECT a.place, s.run_id AS "runId", s.version, e.criteria_scores AS own, json_agg(s.overall_score) AS scores
  FROM (SELECT * FROM rescores WHERE status = 'scored' AND overall_score IS NOT NULL ORDER BY requested_at DESC LIMIT ${MAX_RESCORES}) s
  JOIN runs r ON r.id = s.run_id AND ${OWN_RUN}
  JOIN arms a ON ${ofArm('r')}
  JOIN run_measures m ON m.run_id = r.id AND ($4::timestamptz IS NULL OR m.ended_at >= $4)
  CROSS JOIN LATERAL (
    SELECT criteria_scores FROM evaluations WHERE run_id = s.run_id AND version = s.version AND by = 'machine'
    ORDER BY (status = 'scored') DESC, ordinal LIMIT 1) e
  GROUP BY a.place, s.run_id, s.version, e.criteria_scores`;

const outputRows = z.array(
  z.object({
    place: z.int(),
    runId: z.string(),
    version: z.int(),
    own: z.record(z.string(), z.number().nullable()),
    scores: z.array(z.number()),
  }),
);

/**
 * Returns the agreement of re-scores with the original scores, one result per arm. Criteria scored only by people are excluded from both.
 */
export async function findRescoreAgreement({ prisma }: DatabaseClient, scope: ArmsInTime): Promise<RescoreAgreement[]> {
  const outputs = outputRows.parse(await prisma.$queryRawUnsafe(OUTPUTS, ...armValues(scope)));
  return scope.arms.map(({ settings }, index) => {
    const judged = withoutPeople(settings);
    const spreads = outputs
      .filter((output) => output.place === index)
      .flatMap(({ runId, version, own, scores }) => {
        const first = overallOf(judged, own);
        if (first === null) return [];
        const rescores = scores.map((overallScore) => ({ ...RESCORE, version, overallScore }));
        const [spread] = reportRescores(version, rescores, { overallScore: first, criteriaScores: own }, []).spreads;
        return spread === undefined ? [] : [{ ...spread, runId, first }];
      });
    const parted = spreads.filter(({ n, within }) => within < n);
    const byRun = [...Map.groupBy(spreads, ({ runId }) => runId).values()];
    return {
      ...sumShares(byRun.map((ofRun) => ({ met: total(ofRun, 'within'), of: total(ofRun, 'n') }))),
      outputs: spreads.length,
      largestDistance:
        spreads.length === 0
          ? null
          : Math.max(
              ...spreads.map(({ first, lowest, highest }) =>
                Math.max(first - (lowest ?? first), (highest ?? first) - first),
              ),
            ),
      runIds: [...new Set(spreads.map(({ runId }) => runId))],
      partedRunIds: [...new Set(parted.map(({ runId }) => runId))],
    };
  });
}

function total(spreads: readonly { within: number; n: number }[], amount: 'within' | 'n'): number {
  return spreads.reduce((sum, spread) => sum + spread[amount], 0);
}

/** Counts all re-scores with a score. The count changes whenever the result of `findRescoreAgreement` may change. */
export function countRescores({ prisma }: DatabaseClient): Promise<number> {
  return prisma.rescore.count({ where: { status: 'scored' } });
}

const RESCORE = { status: 'scored', criteriaScores: {}, message: null, tokens: 0, costUsd: 0 } as const;

/**
 * Sums for the mean of an amount of runs. `squares`: sum of the squared distances of runs from the mean. `cases`: number of cases with a
 * value. `caseSquares`: sum of the squares of each case's total distance, because runs of one case are correlated.
 */
const trendAmount = z.object({
  n: z.int(),
  mean: z.number().nullable(),
  squares: z.number(),
  cases: z.int(),
  caseSquares: z.number(),
});
export type TrendAmount = z.infer<typeof trendAmount>;
const trendRow = z.object({
  key: z.string(),
  ended: z.int(),
  unscored: z.int(),
  unpriced: z.int(),
  solved: clusteredShareSchema,
  score: trendAmount,
  cost: trendAmount,
});
export type TrendRow = z.infer<typeof trendRow>;

function amountSums(amount: 'score' | 'cost'): string {
  return `json_build_object('n', sum(${amount}_n), 'mean', max(${amount}_mean), 'squares', coalesce(sum(${amount}_squares), 0),
    'cases', count(*) FILTER (WHERE ${amount}_n > 0), 'caseSquares', coalesce(sum(${amount}_distance * ${amount}_distance), 0)) AS ${amount}`;
}

/** Returns the query for the results of runs by `key`. Sums distances from the mean, because differences of large sums are inexact. */
function trendQuery(key: string, condition: string): string {
  const ofCase = (amount: 'score' | 'cost') => `count(${amount}) AS ${amount}_n, max(${amount}_mean) AS ${amount}_mean,
    sum(${amount} - ${amount}_mean) AS ${amount}_distance, sum((${amount} - ${amount}_mean) ^ 2) AS ${amount}_squares`;
  return `
    SELECT key, sum(ended)::int AS ended, sum(ended - known)::int AS unscored, sum(unpriced)::int AS unpriced,
      ${clusteredShare('solved', 'known')} AS solved, ${amountSums('score')}, ${amountSums('cost')}
    FROM (
      SELECT key, count(*) AS ended, count(*) FILTER (WHERE known) AS known, count(*) FILTER (WHERE success) AS solved,
        count(*) FILTER (WHERE unpriced) AS unpriced, ${ofCase('score')}, ${ofCase('cost')}
      FROM (
        SELECT *, avg(score) OVER by_key AS score_mean, avg(cost) OVER by_key AS cost_mean
        FROM (
          SELECT ${key} AS key, r.case_key, ${HAS_KNOWN_OUTCOME} AS known, r.success, r.unpriced, r.best_score AS score,
            CASE WHEN NOT r.unpriced THEN r.cost_usd END AS cost
          FROM runs r WHERE ${condition} AND ${ENDED_RUN} AND ${OWN_RUN}) ended
        WINDOW by_key AS (PARTITION BY key)) runs
      GROUP BY key, case_key) cases
    GROUP BY key`;
}

const WEEKS = trendQuery(
  "to_char(date_trunc('week', r.finished_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD')",
  'r.experiment_id = ANY ($1::uuid[]) AND r.finished_at >= $2',
);

/** Maximum number of versions shown per experiment, the newest. */
const MAX_VERSIONS = 50;

const VERSIONS = `
  SELECT key::text, ended, unscored, unpriced, solved, score, cost FROM (
    ${trendQuery('r.experiment_version', 'r.experiment_id = $1::uuid')} ORDER BY key DESC LIMIT ${MAX_VERSIONS}) newest ORDER BY newest.key`;

/** Grouping of a trend: by week since a moment over some experiments, or by settings version of one experiment. */
type TrendBy = { experimentIds: readonly string[]; since: Date } | { experimentId: string };

/** Returns the results of ended runs by week (UTC) or by version, oldest first. */
export async function trendRows({ prisma }: DatabaseClient, by: TrendBy): Promise<TrendRow[]> {
  const [text, values] = 'since' in by ? [WEEKS, [by.experimentIds, by.since]] : [VERSIONS, [by.experimentId]];
  return z.array(trendRow).parse(await prisma.$queryRawUnsafe(text, ...values));
}
