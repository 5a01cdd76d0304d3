'use server';

import { revalidatePath } from 'next/cache';
import type { MonthUse } from '#lib/reflection/month-budget.ts';
import type { Result } from '#lib/reflection/problem.ts';
import { setMonthBudget } from '#lib/runs/budgets/set-month-budget.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { defineAction } from '#lib/team/define-action.ts';

/** Sets what models may cost in a calendar month. */
export const changeMonthBudgetAction = defineAction(
  'changeMonthBudgetAction',
  { role: 'owner', audit: 'changed' },
  async (actor, input: unknown): Promise<Result<MonthUse>> => {
    const result = await setMonthBudget(await getWorkshop(), actor, input);
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);
