import { createStampCache } from '#lib/database/create-stamp-cache.ts';
import type { Database } from '#lib/database/database.ts';
import { type EqualCost, equalCost } from '#lib/statistics/equal-cost.ts';
import { insightsSums } from './find-insights-sums.ts';
import {
  type ArmsInTime,
  type InsightArm,
  latestEqualCost,
  listInsightArms,
  listSpendTrajectories,
  stampOfArms,
} from './queries.ts';
import { type EqualCostPanel, type Insights, insightsReport } from './schema.ts';

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
  database: Pick<Database, 'prisma'>,
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
export async function findInsights(database: Pick<Database, 'prisma'>, scope: InsightScope): Promise<Insights> {
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
  database: Pick<Database, 'prisma'>,
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
