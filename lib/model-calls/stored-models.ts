import { budgetedCall } from '#lib/budgets/budgeted-call.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { limitedCall } from '#lib/models/limited-call.ts';
import { providerDirectory } from '#lib/models/resolve-provider.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import { privateTagsCall } from '#lib/providers/call/private-tags.ts';
import type { SpendPurpose } from '#lib/runs/other-spend.ts';
import { targetCaller } from '#lib/targets/target-caller.ts';

type Options = {
  /** Who holds the slots of providers: the id of a process or of one use. */
  holder: string;
  /** See `limitedCall`. */
  draining?: AbortSignal;
  /** Asked in place of the stored models. */
  call?: ModelCaller | undefined;
};

/** Calls the stored models and targets within the limits of their providers. Replies cannot forge the tags of prompts. */
export function storedModels(
  context: Pick<AppContext, 'database' | 'secret' | 'environmentKeys' | 'addresses' | 'now' | 'address'>,
  { holder, draining, call }: Options,
): ReturnType<typeof limitedCall> {
  const { limitsOf, ...providers } = providerDirectory(context);
  const { addresses, database, secret } = context;
  const caller =
    call ?? privateTagsCall(createModelCaller({ ...providers, addresses, callTarget: targetCaller(context) }), secret);
  return limitedCall(caller, { database, holder, limitsOf, ...(draining && { draining }) });
}

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
