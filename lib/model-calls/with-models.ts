import { budgetedCall } from '#lib/budgets/budgeted-call.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import type { SpendPurpose } from '#lib/runs/other-spend.ts';
import { storedModels } from './stored-models.ts';

/** Whose experiment's budget it is held against, and what for where `use` journals no calls: see `budgetedCall`. */
type Scope = { experimentId: string | null; purpose: SpendPurpose | null };

/**
 * Lends a caller of models, within budgets and their providers' limits, to a use case that asks while somebody waits for the answer.
 * One that journals its calls does so before it answers.
 */
export async function withModels<Answer>(
  context: AppContext,
  scope: Scope,
  use: (call: ModelCaller) => Promise<Answer>,
): Promise<Answer> {
  const { database, now } = context;
  const limited = storedModels(context, { holder: context.newId() });
  const budgeted = budgetedCall(limited, { database, now, ...scope });
  try {
    return await use(budgeted.call);
  } finally {
    budgeted.close();
    limited.close();
  }
}
