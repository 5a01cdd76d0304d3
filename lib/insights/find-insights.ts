import { tQuantile } from '#lib/core/student-t.ts';
import { createStampCache } from '#lib/database/create-stamp-cache.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { type EqualCost, equalCost } from '#lib/statistics/equal-cost.ts';
import { narrowed, wilsonInterval } from '#lib/statistics/intervals.ts';
import { summedShare } from '#lib/statistics/shares.ts';
import { insightsSums, type TrendAmount, type TrendRow, trendRows } from './find-insights-sums.ts';
import {
  type ArmsInTime,
  type InsightArm,
  latestEqualCost,
  listInsightArms,
  listSpendTrajectories,
  stampOfArms,
} from './queries.ts';
import {
  type EqualCostPanel,
  type Insights,
  insightsReport,
  type TrendMean,
  type TrendPoint,
  type Trends,
} from './schema.ts';

/** Time ranges of insights, in days up to now. */
export const INSIGHT_DAYS = [7, 30, 90] as const;
export const INSIGHT_MODELS = ['real', 'practice', 'all'] as const;

/**
 * Filter of insights. `models` null: real models if any of their experiments was scored, otherwise practice. Practice data is never mixed
 * in by default.
 */
export type InsightFilter = {
  experimentId: string | null;
  models: (typeof INSIGHT_MODELS)[number] | null;
  days: (typeof INSIGHT_DAYS)[number] | null;
};

/** The resolved filter: its arms, and all arms that can be selected. */
export type InsightScope = ArmsInTime & { choices: InsightArm[]; models: (typeof INSIGHT_MODELS)[number] };

/** Resolves a filter to its arms. A single experiment is used regardless of its models. */
export async function insightScope(
  database: DatabaseClient,
  { experimentId, models: modelFilter, days }: InsightFilter,
  now: Date,
): Promise<InsightScope> {
  const choices = await listInsightArms(database);
  const models = modelFilter ?? (choices.some(({ practice, scored }) => !practice && scored) ? 'real' : 'practice');
  return {
    choices,
    models,
    arms: choices.filter((arm) =>
      experimentId === null
        ? models === 'all' || arm.practice === (models === 'practice')
        : arm.experimentId === experimentId,
    ),
    since: days === null ? null : new Date(now.getTime() - days * 86_400_000),
  };
}

/** Returns all measures of a scope, computed from sums only. */
export async function findInsights(database: DatabaseClient, scope: InsightScope): Promise<Insights> {
  const [sums, panel] = await Promise.all([
    insightsSums(database, scope),
    equalCostPanel(
      database,
      scope.arms.map(({ experimentId }) => experimentId),
    ),
  ]);
  return {
    models: scope.models,
    since: scope.since?.toISOString() ?? null,
    report: insightsReport(sums),
    equalCost: panel,
  };
}

const MAX_CACHE_BYTES = 5_000_000;

/** Cache of comparisons by their two arms. Computing one reads the spend of the first runs of up to 300 cases. */
const comparisonCache = createStampCache<Pick<EqualCostPanel, 'unit' | keyof EqualCost> | null>(
  MAX_CACHE_BYTES,
  (panel) => 500 + JSON.stringify(panel).length,
);

/** Compares the newest control of these experiments with its original. Null if there is none or they have no case in common. */
async function equalCostPanel(
  database: DatabaseClient,
  experimentIds: readonly string[],
): Promise<EqualCostPanel | null> {
  const arm = await latestEqualCost(database, experimentIds);
  if (arm === null) return null;
  const { experimentId, version, controlId, controlVersion } = arm;
  const control = { experimentId: controlId, version: controlVersion };
  const arms = [{ experimentId, version }, control];
  const key = arms.map((one) => `${one.experimentId}@${one.version}`).join(' ');
  const found = await comparisonCache(key, await stampOfArms(database, { arms, since: null }), async () => {
    const [reflection, fresh] = await Promise.all([
      listSpendTrajectories(database, arm),
      listSpendTrajectories(database, control),
    ]);
    const unit = reflection.isPriced && fresh.isPriced ? 'usd' : 'tokens';
    const panel = equalCost(reflection[unit], fresh[unit]);
    return panel === null ? null : { ...panel, unit };
  });
  return found === null ? null : { ...found, ...arm };
}

/** Maximum number of weeks shown, and the default range. */
const TREND_WEEKS = 12;
const WEEK_MS = 7 * 86_400_000;

/**
 * Returns success, score and cost by week over the experiments of a scope, and by settings version if a single experiment is selected.
 * Weeks without ended runs are included as gaps.
 */
export async function findTrends(
  database: DatabaseClient,
  { arms, since }: ArmsInTime,
  experimentId: string | null,
  now: Date,
): Promise<Trends> {
  const ids = arms.map(({ experimentId }) => experimentId);
  const first = beginOfWeek(new Date(Math.max(since?.getTime() ?? 0, now.getTime() - (TREND_WEEKS - 1) * WEEK_MS)));
  const [weeks, versions] = await Promise.all([
    ids.length === 0 ? [] : trendRows(database, { experimentIds: ids, since: first }),
    experimentId === null || ids.length === 0 ? [] : trendRows(database, { experimentId }),
  ]);
  return {
    weeks: everyWeek(first, now).map((week) => pointOf(week, weeks.find(({ key }) => key === week) ?? EMPTY)),
    versions: versions.map((row) => pointOf(`v${row.key}`, row)),
  };
}

const NO_AMOUNT: TrendAmount = { n: 0, mean: null, squares: 0, cases: 0, caseSquares: 0 };
const EMPTY: Omit<TrendRow, 'key'> = {
  ...{ ended: 0, unscored: 0, unpriced: 0, score: NO_AMOUNT, cost: NO_AMOUNT },
  solved: { met: 0, of: 0, clusters: 0, metMet: 0, metOf: 0, ofOf: 0 },
};

/** Returns the Monday on or before a moment, in UTC. */
export function beginOfWeek(moment: Date): Date {
  const day = Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate());
  return new Date(day - ((moment.getUTCDay() + 6) % 7) * 86_400_000);
}

/** Returns the Mondays from `first` up to `now`: `2026-11-23`. */
export function everyWeek(first: Date, now: Date): string[] {
  const weeks: string[] = [];
  for (let at = first.getTime(); at <= now.getTime(); at += WEEK_MS)
    weeks.push(new Date(at).toISOString().slice(0, 10));
  return weeks;
}

/** Returns a row with its intervals. Values that were never scored or priced are null. */
export function pointOf(
  label: string,
  { ended, unscored, unpriced, solved, score, cost }: Omit<TrendRow, 'key'>,
): TrendPoint {
  return {
    ...{ label, ended, unscored, unpriced },
    solved: summedShare(solved),
    score: meanOf(score, 'score'),
    costUsd: meanOf(cost, 'cost'),
  };
}

/**
 * Returns a mean of runs with its 95 % interval. Scores have that of `meanInterval`, other values Student's from 0 on, or none if they are
 * equal. Runs of one case are correlated, so the variance and degrees of freedom come from the cases, if there are several. Source: Cochran
 * 1977, Sampling Techniques, 6 (ratio of sums).
 */
function meanOf({ n, mean, squares, cases, caseSquares }: TrendAmount, kind: 'score' | 'cost'): TrendMean | null {
  if (mean === null || n === 0) return null;
  if (n < 2) return { n, mean, low: null, high: null };
  const clusters = cases < 2 ? n : cases;
  const ofRuns = squares / (n - 1) / n;
  // Equal means of cases do not show that runs vary less than independent ones.
  const variance = cases < 2 ? ofRuns : Math.max(ofRuns, (cases / (cases - 1)) * (caseSquares / n ** 2));
  const isEqual = squares / (n - 1) < ROUNDING_TOLERANCE ** 2;
  if (kind === 'cost') {
    if (isEqual) return { n, mean, low: null, high: null };
    const half = tQuantile(clusters - 1) * Math.sqrt(variance);
    return { n, mean, low: Math.max(0, mean - half), high: mean + half };
  }
  const spread = mean * (1 - mean);
  // Only scores of 0 and 1 have the largest possible variance for their mean.
  const isZeroOrOne = Math.abs(squares / n - spread) < ROUNDING_TOLERANCE;
  const effective = isZeroOrOne && !isEqual ? Math.min(n, Math.max(clusters, spread / variance)) : clusters;
  const { low = 0, high = 1 } = wilsonInterval(mean * effective, effective) ?? {};
  if (isEqual || isZeroOrOne) return { n, mean, low, high };
  const middle = (mean * clusters + 1) / (clusters + 2);
  const distances = clusters * (mean - middle) ** 2 + middle ** 2 + (1 - middle) ** 2;
  const sum = variance * clusters * (clusters - 1) + distances;
  const half = tQuantile(clusters + 1) * Math.sqrt(sum / (clusters + 1) / (clusters + 2));
  return narrowed({ n, mean, low, high }, middle, half);
}

/** Tolerance for values that PostgreSQL sums in floating point. */
const ROUNDING_TOLERANCE = 1e-9;
