import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { changeFields, MONTH_BUDGET_SETTING } from '#lib/settings/installation-settings.ts';
import { type MonthUse, monthBudgetInputSchema } from '#lib/settings/schema.ts';
import { findMonthUse } from './queries.ts';
import { spendLedger } from './spend-ledger.ts';

/**
 * Sets the monthly budget for models: `{maxCostUsd, warnAtPercent}`. Applies from the next call on. Returns the current state. `isPartial`:
 * omitted fields are kept.
 */
export async function updateMonthBudget(
  context: AppContext,
  actor: Actor,
  input: unknown,
  { isPartial = false } = {},
): Promise<Result<MonthUse>> {
  const parsed = parseInput(isPartial ? monthBudgetInputSchema.partial() : monthBudgetInputSchema, input);
  if (!parsed.ok) return parsed;
  await changeFields(context, actor, { setting: MONTH_BUDGET_SETTING, fields: parsed.value }, (change) => ({
    subject: { kind: 'budget' },
    change,
  }));
  spendLedger(context.database).forgetLimits();
  return succeed(await findMonthUse(context.database, context.now()));
}
