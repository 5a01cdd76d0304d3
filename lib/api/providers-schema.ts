import { z } from 'zod';
import { component } from '#lib/http/define-route.ts';
import { count, page, time } from '#lib/http/fields.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '#lib/providers/provider-configuration.ts';
import { providerTestSchema } from '#lib/providers/provider-test.ts';
import { refusedParameterSchema } from '#lib/providers/refused-parameter-record.ts';

const modelPrices = z.object({ inputPerMillionUsd: z.number(), outputPerMillionUsd: z.number() });

export const storedProviderTestSchema = component('ProviderTest', providerTestSchema.extend({ at: time }));

export const providerSchema = component(
  'Provider',
  z.object({
    name: z.string(),
    kind: z.string(),
    baseUrl: z.string().nullable(),
    hasKey: z.boolean(),
    keyLastFour: z.string().nullable(),
    source: z.enum(['built_in', 'environment', 'stored']),
    maxConcurrency: z.int().nullable(),
    maxRequestsPerMinute: z.int().nullable(),
    prices: z.record(z.string(), modelPrices),
    toolsBy: z.enum(['native', 'prompt']).nullable(),
    timeoutSeconds: z
      .int()
      .nullable()
      .meta({ description: `Time limit of a call; null: ${DEFAULT_TIMEOUT_SECONDS}.` }),
    refused: z
      .array(refusedParameterSchema)
      .meta({ description: 'Parameters that its models refused and that are no longer sent.' }),
    test: storedProviderTestSchema.nullable(),
    use: z.object({
      experiments: count,
      prompts: count,
      models: z.array(z.object({ model: z.string(), uses: count, roles: z.array(z.string()) })),
      named: z
        .array(
          z.object({
            kind: z.enum(['experiment', 'prompt']),
            id: z.string(),
            name: z.string(),
            roles: z.array(z.string()),
          }),
        )
        .meta({ description: 'The last changed of them.' }),
    }),
    usedByExperiments: count,
  }),
);

export const providersSchema = component('Providers', page(providerSchema));

export const deleteProviderQuery = z.strictObject({
  evenInUse: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description: 'Also one that experiments or prompts name; without it the answer tells which do.' }),
});

export const providerTestQuery = z.strictObject({
  model: z
    .string()
    .trim()
    .min(1, { error: 'must name a model' })
    .max(200, { error: 'must be at most 200 characters' })
    .optional()
    .meta({ description: 'Also really ask this model two small things, which costs some tokens.' }),
  temperature: z
    .string({ error: 'must be given once' })
    .regex(/^\d(\.\d{1,6})?$/, { error: 'must be a number from 0 to 2' })
    .optional()
    .transform((text) => (text === undefined ? undefined : Number(text)))
    .meta({ description: 'Temperature to ask it with; left out: the one that experiments ask it with, if any.' }),
});

const localServer = component(
  'LocalServer',
  z.object({
    name: z.string(),
    label: z.string(),
    baseUrl: z.string(),
    state: z.enum(['found', 'needs_key', 'other', 'nothing']),
    models: z.array(z.string()),
    addedAs: z.string().nullable().meta({ description: 'The provider that stands for it already.' }),
  }),
);

export const localServersSchema = component('LocalServers', page(localServer));

const priceRow = component(
  'Price',
  z.object({
    provider: z.string(),
    model: z.string(),
    own: modelPrices.nullable(),
    list: modelPrices
      .extend({
        from: z.string().meta({ description: 'Whose list it is.' }),
        url: z.string().nullable(),
        tiered: z.boolean().meta({ description: 'Long prompts cost more than this.' }),
      })
      .nullable(),
    uses: count,
    roles: z.array(z.string()),
  }),
);

export const pricesSchema = component('Prices', page(priceRow));
