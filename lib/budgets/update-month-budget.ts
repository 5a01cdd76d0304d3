import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { lockUntilCommit } from '#lib/database/locks.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { findMonthBudget, MONTH_BUDGET_SETTING, writeSetting } from '#lib/settings/installation-settings.ts';
import { type MonthUse, monthBudgetInputSchema } from '#lib/settings/schema.ts';
import { findMonthUse } from './queries.ts';
import { spendLedger } from './spend-ledger.ts';

/** Sets the monthly budget for models: `{maxCostUsd, warnAtPercent}`. Applies from the next call on. Returns the current state. */
export async function updateMonthBudget(context: AppContext, actor: Actor, input: unknown): Promise<Result<MonthUse>> {
  const parsed = parseInput(monthBudgetInputSchema, input);
  return parsed.ok ? changeMonthBudget(context, actor, parsed.value) : parsed;
}

/** Changes only the fields in the input, so that the fields of a form that others change at the same time are kept. */
export async function changeMonthBudget(context: AppContext, actor: Actor, input: unknown): Promise<Result<MonthUse>> {
  const parsed = parseInput(monthBudgetInputSchema.partial(), input);
  if (!parsed.ok) return parsed;
  const { database } = context;
  const now = context.now();
  await inTransaction(database, async (transaction) => {
    await lockUntilCommit(transaction, 'month_budget');
    const value = { ...(await findMonthBudget({ prisma: transaction })), ...parsed.value };
    await writeSetting(transaction, MONTH_BUDGET_SETTING, { value, updatedBy: actor.name, updatedAt: now });
    await recordChange(transaction, actor, { act: 'changed', subject: { kind: 'budget' }, change: value });
  });
  spendLedger(database).forgetLimits();
  return succeed(await findMonthUse(database, now));
}
