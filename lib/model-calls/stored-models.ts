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
  /** Holder of provider slots: the id of a process or of a single use. */
  holder: string;
  /** See `limitedCall`. */
  draining?: AbortSignal;
  /** Called instead of the stored models. */
  call?: ModelCaller | undefined;
};

/**
 * Creates a caller of the stored models and targets that respects the limits of their providers. Responses cannot forge the tags of
 * prompts.
 */
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

/** Experiment whose budget applies, and the purpose of calls that `use` does not journal: see `budgetedCall`. */
type Scope = { experimentId: string | null; purpose: SpendPurpose | null };

/**
 * Runs a use case with a model caller, within budgets and provider limits, while the user waits for the result. A use case that journals
 * its calls must do so before it returns.
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
