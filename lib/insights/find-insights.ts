import type { Database } from '#lib/database/database.ts';
import { equalCost } from '#lib/statistics/equal-cost.ts';
import { insightsSums } from './find-insights-sums.ts';
import { type InsightFilter, type InsightScope, insightScope } from './insight-scope.ts';
import type { EqualCostPanel, Insights } from './insights.ts';
import { insightsReport } from './insights-report.ts';
import { latestEqualCost } from './latest-equal-cost.ts';
import { spendCourses } from './spend-courses.ts';

/** Everything that is measured over the runs that a filter means, read from sums alone, and what could be chosen instead. */
export async function findInsights(
  database: Pick<Database, 'pool'>,
  filter: InsightFilter,
  now: Date,
): Promise<{ insights: Insights; scope: InsightScope }> {
  const scope = await insightScope(database, filter, now);
  const [sums, panel] = await Promise.all([
    insightsSums(database, scope),
    equalCostPanel(
      database,
      scope.arms.map(({ experimentId }) => experimentId),
    ),
  ]);
  return {
    insights: {
      models: scope.models,
      since: scope.since?.toISOString() ?? null,
      report: insightsReport(sums),
      equalCost: panel,
    },
    scope,
  };
}

/** The newest control of these experiments against what it controls; null where there is none, or they have no case in common. */
async function equalCostPanel(
  database: Pick<Database, 'pool'>,
  experimentIds: readonly string[],
): Promise<EqualCostPanel | null> {
  const arm = await latestEqualCost(database, experimentIds);
  if (arm === null) return null;
  const [reflection, fresh] = await Promise.all([
    spendCourses(database, arm),
    spendCourses(database, { experimentId: arm.controlId, version: arm.controlVersion }),
  ]);
  const unit = reflection.isPriced && fresh.isPriced ? 'usd' : 'tokens';
  const found = equalCost(reflection[unit], fresh[unit]);
  return found === null ? null : { ...found, ...arm, unit };
}
