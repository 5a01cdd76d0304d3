import type { Database } from '#lib/db/database.ts';
import { insightsSums } from '#lib/db/insights-sums.ts';
import { latestEqualCost } from '#lib/db/latest-equal-cost.ts';
import { spendCourses } from '#lib/db/spend-courses.ts';
import { equalCost } from '#lib/measures/equal-cost.ts';
import type { EqualCostPanel, Insights } from '#lib/measures/insights.ts';
import { insightsReport } from '#lib/measures/insights-report.ts';
import { type InsightFilter, type InsightScope, insightScope } from './insight-scope.ts';

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
