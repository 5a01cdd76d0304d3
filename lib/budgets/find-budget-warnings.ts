import type { AppContext } from '#lib/context/app-context.ts';
import { findMonthBudget } from '#lib/settings/installation-settings.ts';
import { beginOfMonth } from '#lib/settings/schema.ts';
import { findBudgetLimits, spentByExperiment, spentSince } from './queries.ts';

/** A budget beyond a run's own that is nearly or wholly used up: `spent` of `limit` dollars or tokens. */
export type BudgetWarning = { budget: 'month' | 'experiment'; unit: 'usd' | 'tokens'; spent: number; limit: number };

/** From this share of an experiment's budget on it is said. */
const WARN_AT = 0.8;

/** Which budgets that hold an experiment's runs are nearly used up; sums are made only where one is set. */
export async function findBudgetWarnings(
  { database, now }: Pick<AppContext, 'database' | 'now'>,
  experimentId: string,
): Promise<BudgetWarning[]> {
  const { monthCostUsd, experimentCostUsd, experimentTokens } = await findBudgetLimits(database, experimentId);
  const warnings: BudgetWarning[] = [];
  if (experimentCostUsd !== null || experimentTokens !== null) {
    const { costUsd, tokens } = await spentByExperiment(database, experimentId);
    if (experimentCostUsd !== null && costUsd >= WARN_AT * experimentCostUsd)
      warnings.push({ budget: 'experiment', unit: 'usd', spent: costUsd, limit: experimentCostUsd });
    if (experimentTokens !== null && tokens >= WARN_AT * experimentTokens)
      warnings.push({ budget: 'experiment', unit: 'tokens', spent: tokens, limit: experimentTokens });
  }
  if (monthCostUsd !== null) {
    const spent = await spentSince(database, beginOfMonth(now()));
    const { warnAtPercent } = await findMonthBudget(database);
    if (spent >= (warnAtPercent / 100) * monthCostUsd)
      warnings.push({ budget: 'month', unit: 'usd', spent, limit: monthCostUsd });
  }
  return warnings;
}
