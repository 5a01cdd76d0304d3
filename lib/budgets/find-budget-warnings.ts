import type { AppContext } from '#lib/context/app-context.ts';
import { findMonthBudget } from '#lib/settings/installation-settings.ts';
import { beginOfMonth } from '#lib/settings/schema.ts';
import { findBudgetLimits, spentByExperiment, spentSince } from './queries.ts';

/** An experiment or month budget that is nearly or completely used up: `spent` of `limit` dollars or tokens. */
export type BudgetWarning = { budget: 'month' | 'experiment'; unit: 'usd' | 'tokens'; spent: number; limit: number };

/** Share of an experiment's budget at which a warning starts. */
const WARN_AT = 0.8;

/** Returns the budgets for an experiment's runs that are nearly used up. Sums are computed only if a budget is set. */
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
