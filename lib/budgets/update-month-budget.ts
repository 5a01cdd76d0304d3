import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { writeMonthBudget } from '#lib/settings/installation-settings.ts';
import { type MonthUse, monthBudgetInputSchema } from '#lib/settings/schema.ts';
import { findMonthUse } from './queries.ts';
import { spendLedger } from './spend-ledger.ts';

/** Sets the monthly budget for models: `{maxCostUsd, warnAtPercent}`. Applies from the next call on. Returns the current state. */
export async function updateMonthBudget(context: AppContext, actor: Actor, input: unknown): Promise<Result<MonthUse>> {
  const parsed = parseInput(monthBudgetInputSchema, input);
  if (!parsed.ok) return parsed;
  const { database } = context;
  const now = context.now();
  await database.prisma.$transaction(async (transaction) => {
    await writeMonthBudget(transaction, { value: parsed.value, updatedBy: actor.name, now });
    await recordChange(transaction, actor, {
      act: 'changed',
      subject: { kind: 'budget' },
      change: { maxCostUsd: parsed.value.maxCostUsd, warnAtPercent: parsed.value.warnAtPercent },
    });
  });
  spendLedger(database).forgetLimits();
  return succeed(await findMonthUse(database, now));
}
