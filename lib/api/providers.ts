import { z } from 'zod';
import { findMonthUse } from '#lib/budgets/queries.ts';
import { updateMonthBudget } from '#lib/budgets/update-month-budget.ts';
import { succeed } from '#lib/core/problem.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { count, deletedSchema, forceDeleteQuery, page } from '#lib/http/fields.ts';
import { nameOf, queryFlag, queryText } from '#lib/http/parameters.ts';
import { testProvider } from '#lib/model-calls/test-provider.ts';
import { deleteProvider, saveProvider, updateProvider } from '#lib/models/change-providers.ts';
import {
  chosenModelsPatchSchema,
  defaultModelsSchema,
  findDefaultModels,
  updateDefaultModels,
} from '#lib/models/default-models.ts';
import { detectLocalServers } from '#lib/models/detect-local-servers.ts';
import { listProviders, providerTestViewSchema, providerViewSchema } from '#lib/models/list-providers.ts';
import { listPrices, updatePrices } from '#lib/models/prices.ts';
import { pricesInputSchema, providerInputSchema, providerPatchSchema } from '#lib/models/provider-input.ts';
import { priceSchema } from '#lib/models/stored-provider.ts';
import { monthBudgetInputSchema, monthUseSchema } from '#lib/settings/schema.ts';

export const storedProviderTestSchema = component('ProviderTest', providerTestViewSchema);

export const providerSchema = component('Provider', providerViewSchema);

export const providersSchema = component('Providers', page(providerSchema));

const deleteProviderQuery = forceDeleteQuery('provider', 'experiments or prompts');

const providerTestQuery = z.strictObject({
  model: z
    .string()
    .trim()
    .min(1, { error: 'must name a model' })
    .max(200, { error: 'must be at most 200 characters' })
    .optional()
    .meta({ description: 'Also send two small requests to this model, which costs some tokens.' }),
  call: queryFlag.meta({
    description: 'Also send one tiny request to a model if `model` is not given. It shows that the key works.',
  }),
  temperature: queryText
    .regex(/^\d(\.\d{1,6})?$/, { error: 'must be a number from 0 to 2' })
    .optional()
    .transform((text) => (text === undefined ? undefined : Number(text)))
    .meta({
      description: 'Temperature of the request. Default: the one that experiments use with this model, if any.',
    }),
});

const localServer = component(
  'LocalServer',
  z.object({
    name: z.string(),
    label: z.string(),
    baseUrl: z.string(),
    state: z.enum(['found', 'needs_key', 'other', 'nothing']),
    models: z.array(z.string()),
    addedAs: z.string().nullable().meta({ description: 'The provider that already uses this server.' }),
  }),
);

export const localServersSchema = component('LocalServers', page(localServer));

const priceRow = component(
  'Price',
  z.object({
    provider: z.string(),
    model: z.string(),
    own: priceSchema.nullable(),
    list: priceSchema
      .extend({
        from: z.string().meta({ description: 'Source of the price list.' }),
        url: z.string().nullable(),
        tiered: z.boolean().meta({ description: 'True if long prompts cost more than these prices.' }),
      })
      .nullable(),
    uses: count,
    roles: z.array(z.string()),
  }),
);

export const pricesSchema = component('Prices', page(priceRow));

const storedDefaults = component('DefaultModels', defaultModelsSchema);

export const providerRoutes = {
  getDefaultModels: defineRoute('GET /api/v1/default-models', {
    summary: 'Get the default models of new experiments, prompts and playgrounds',
    role: 'viewer',
    response: storedDefaults,
    handle: async ({ context }) => succeed(await findDefaultModels(context)),
  }),
  updateDefaultModels: defineRoute('PATCH /api/v1/default-models', {
    summary: 'Set the default models of some roles. Null resets a role',
    role: 'owner',
    audit: 'changed',
    body: component('DefaultModelsChange', chosenModelsPatchSchema),
    response: storedDefaults,
    handle: async ({ context, actor, body }) => updateDefaultModels(context, actor, body),
  }),
  getMonthBudget: defineRoute('GET /api/v1/budget', {
    summary: 'Get the monthly budget and what was spent',
    role: 'viewer',
    response: component('MonthBudget', monthUseSchema),
    handle: async ({ context: { database, now } }) => succeed(await findMonthUse(database, now())),
  }),
  updateMonthBudget: defineRoute('PUT /api/v1/budget', {
    summary: 'Set the monthly budget. Null removes it',
    role: 'owner',
    audit: 'changed',
    body: component('MonthBudgetInput', monthBudgetInputSchema),
    response: component('MonthBudget', monthUseSchema),
    handle: async ({ context, actor, body }) => updateMonthBudget(context, actor, body),
  }),
  listProviders: defineRoute('GET /api/v1/providers', {
    summary: 'List providers, without keys',
    role: 'viewer',
    response: providersSchema,
    handle: async ({ context }) => succeed({ items: await listProviders(context), nextCursor: null }),
  }),
  createProvider: defineRoute('POST /api/v1/providers', {
    summary: 'Add a provider. The API never returns its key',
    role: 'owner',
    audit: 'created',
    body: component('ProviderInput', providerInputSchema),
    status: 201,
    response: providerSchema,
    handle: async ({ context, actor, body }) => saveProvider(context, actor, body),
  }),
  updateProvider: defineRoute('PATCH /api/v1/providers/{name}', {
    summary: 'Change a provider. Changing the base URL deletes the stored key',
    role: 'owner',
    audit: 'changed',
    params: { name: nameOf('provider') },
    body: component('ProviderChange', providerPatchSchema),
    response: providerSchema,
    handle: async ({ context, actor, params, body }) => updateProvider(context, actor, params.name, body),
  }),
  deleteProvider: defineRoute('DELETE /api/v1/providers/{name}', {
    summary: 'Delete a provider. 409 with the experiments and prompts that use it',
    role: 'owner',
    audit: 'deleted',
    params: { name: nameOf('provider') },
    query: deleteProviderQuery,
    response: deletedSchema,
    handle: async ({ context, actor, params, query }) => deleteProvider(context, actor, params.name, query),
  }),
  /**
   * Requests the provider's models, or a small completion from one model. An unreachable provider is a regular response (`ok: false` with a
   * remedy), not an error.
   */
  testProvider: defineRoute('POST /api/v1/providers/{name}/test', {
    summary: 'List the models of a provider, or send a small request to one. A failure is returned with its remedy',
    role: 'owner',
    limit: 'test',
    audit: 'tested',
    params: { name: nameOf('provider') },
    query: providerTestQuery,
    response: storedProviderTestSchema,
    handle: async ({ context, actor, params, query }) => testProvider(context, actor, params.name, query),
  }),
  findLocalServers: defineRoute('POST /api/v1/local-servers', {
    summary: 'Find model servers on the usual ports of this machine',
    role: 'owner',
    limit: 'test',
    audit: { none: 'sends requests to servers on this machine or network, and stores nothing' },
    response: localServersSchema,
    handle: async ({ context, actor }) => {
      const found = await detectLocalServers(context, actor);
      return found.ok ? succeed({ items: found.value, nextCursor: null }) : found;
    },
  }),
  listPrices: defineRoute('GET /api/v1/prices', {
    summary: 'List the prices of the models in use, in USD per million tokens',
    role: 'viewer',
    response: pricesSchema,
    handle: async ({ context }) => succeed({ items: await listPrices(context), nextCursor: null }),
  }),
  updatePrices: defineRoute('PATCH /api/v1/prices', {
    summary: 'Set your own prices. Null returns to the public price',
    role: 'owner',
    audit: 'changed',
    body: component('PricesChange', pricesInputSchema),
    response: pricesSchema,
    handle: async ({ context, actor, body }) => {
      const prices = await updatePrices(context, actor, body);
      return prices.ok ? succeed({ items: prices.value, nextCursor: null }) : prices;
    },
  }),
};
