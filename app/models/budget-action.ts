'use server';

import { revalidatePath } from 'next/cache';
import { defineAction } from '#lib/auth/define-action.ts';
import { updateMonthBudget } from '#lib/budgets/update-month-budget.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import type { MonthUse } from '#lib/settings/schema.ts';

/** Sets what models may cost in a calendar month. */
export const changeMonthBudgetAction = defineAction(
  'changeMonthBudgetAction',
  { role: 'owner', audit: 'changed' },
  async (actor, input: unknown): Promise<Result<MonthUse>> => {
    const result = await updateMonthBudget(await getAppContext(), actor, input);
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);
