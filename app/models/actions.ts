'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { updateMonthBudget } from '#lib/budgets/update-month-budget.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';

/** Sets the changed parts of the monthly budget for model costs. */
export const changeMonthBudgetAction = defineAction(
  'changeMonthBudgetAction',
  { role: 'owner', audit: 'changed' },
  async (actor, input: unknown) => updateMonthBudget(await getAppContext(), actor, input, { isPartial: true }),
);
