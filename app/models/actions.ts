'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { updateMonthBudget } from '#lib/budgets/update-month-budget.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { testProvider } from '#lib/model-calls/test-provider.ts';
import { deleteProvider, saveProvider, updateProvider } from '#lib/models/change-providers.ts';
import { updateDefaultModels } from '#lib/models/default-models.ts';
import { detectLocalServers } from '#lib/models/detect-local-servers.ts';
import { updatePrices } from '#lib/models/prices.ts';

/** Adds a provider. Its key is stored and never returned. */
export const addProviderAction = defineAction(
  'addProviderAction',
  { role: 'owner', audit: 'created', refreshes: true },
  async (actor, input: unknown) => saveProvider(await getAppContext(), actor, input),
);

export const changeProviderAction = defineAction(
  'changeProviderAction',
  { role: 'owner', named: 'provider', audit: 'changed', refreshes: 'always' },
  async (actor, name: string, input: unknown) => updateProvider(await getAppContext(), actor, name, input),
);

/** Deletes a provider even if it is in use. The page has already listed its users. */
export const removeProviderAction = defineAction(
  'removeProviderAction',
  { role: 'owner', named: 'provider', audit: 'deleted', refreshes: true },
  async (actor, name: string) => deleteProvider(await getAppContext(), actor, name, { evenInUse: true }),
);

/** Tests a provider's key with one small call. If a model is named, tests its support for the features runs need. */
export const tryProviderAction = defineAction(
  'tryProviderAction',
  { role: 'owner', named: 'provider', limit: 'test', audit: 'tested', refreshes: true },
  async (actor, name: string, model: string | null, temperature?: unknown) =>
    testProvider(await getAppContext(), actor, name, {
      model,
      call: model === null,
      ...(temperature !== undefined && { temperature }),
    }),
);

/** Finds model servers that run on this machine. */
export const findServersAction = defineAction(
  'findServersAction',
  {
    role: 'owner',
    limit: 'test',
    audit: { none: 'sends requests to servers on this machine or network, and stores nothing' },
  },
  async (actor) => detectLocalServers(await getAppContext(), actor),
);

export const changePricesAction = defineAction(
  'changePricesAction',
  { role: 'owner', audit: 'changed', refreshes: true },
  async (actor, input: unknown) => updatePrices(await getAppContext(), actor, input),
);

/** Sets the monthly budget for model costs. */
export const changeMonthBudgetAction = defineAction(
  'changeMonthBudgetAction',
  { role: 'owner', audit: 'changed', refreshes: true },
  async (actor, input: unknown) => updateMonthBudget(await getAppContext(), actor, input, { isPartial: true }),
);

/** Sets the default models of new experiments and prompts. */
export const changeDefaultModelsAction = defineAction(
  'changeDefaultModelsAction',
  { role: 'owner', audit: 'changed', refreshes: true },
  async (actor, input: unknown) => updateDefaultModels(await getAppContext(), actor, input),
);
