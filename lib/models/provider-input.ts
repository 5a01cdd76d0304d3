import { z } from 'zod';
import { choiceOf, nameSchema, numberBetween } from '#lib/core/setting-parts.ts';
import { visibleName } from '#lib/core/visible-name.ts';
import { readServiceAccount } from '#lib/providers/google-token.ts';
import {
  baseUrlOf,
  DEFAULT_TIMEOUT_SECONDS,
  type ProviderConfiguration,
  TOOLS_BY,
} from '#lib/providers/provider-configuration.ts';
import {
  PROVIDER_DEFINITIONS,
  PROVIDER_OPTIONS,
  type ProviderKind,
  type ProviderOption,
  type ProviderOptions,
  STORED_KINDS,
  type StoredKind,
} from '#lib/providers/provider-kinds.ts';
import { addedHeadersSchema } from '#lib/system/sealed-headers.ts';
import { IMPORTED_PROVIDER } from './imported-runs.ts';

const price = z
  .number({ error: 'must be a price in US dollars a million tokens, from 0 to 10,000' })
  .min(0, { error: 'must be from 0 to 10,000' })
  .max(10_000, { error: 'must be from 0 to 10,000' });

const priceSchema = z.strictObject({ inputPerMillionUsd: price, outputPerMillionUsd: price });
const modelName = z
  .string()
  .overwrite(visibleName)
  .trim()
  .min(1, { error: 'must name a model' })
  .max(200, { error: 'must be at most 200 characters' });
const MAX_PRICES = 500;

const shared = {
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
    .max(500, { error: 'must be at most 500 characters' })
    .refine((url) => !URL.canParse(url) || (new URL(url).username === '' && new URL(url).search === ''), {
      error: 'must not contain a user name, a password or a query string. Put the key into apiKey',
    })
    .nullable(),
  apiKey: z
    .string()
    .trim()
    .min(1, { error: 'must not be empty' })
    .max(10_000, { error: 'must be at most 10,000 characters' })
    .nullable(),
  maxConcurrency: z
    .int({ error: 'must be a whole number from 1 to 1,000' })
    .min(1, { error: 'must be from 1 to 1,000' })
    .max(1_000, { error: 'must be from 1 to 1,000' })
    .nullable(),
  maxRequestsPerMinute: z
    .int({ error: 'must be a whole number from 1 to 100,000' })
    .min(1, { error: 'must be from 1 to 100,000' })
    .max(100_000, { error: 'must be from 1 to 100,000' })
    .nullable(),
  prices: z.record(modelName, priceSchema).refine((prices) => Object.keys(prices).length <= MAX_PRICES, {
    error: `must contain at most ${MAX_PRICES} models`,
  }),
  toolsBy: z.enum(TOOLS_BY, { error: 'must be native or prompt, or null to find out' }).nullable(),
  timeoutSeconds: z
    .int({ error: 'must be a whole number of seconds from 1 to 3,600' })
    .min(1, { error: 'must be from 1 to 3,600 seconds' })
    .max(3_600, { error: 'must be from 1 to 3,600 seconds' })
    .nullable()
    .meta({
      description: `Timeout of a call in seconds. For a streamed response, the timeout applies to each chunk. Null: ${DEFAULT_TIMEOUT_SECONDS}.`,
    }),
  options: z
    .partialRecord(z.enum(PROVIDER_OPTIONS), z.string().trim().max(500, { error: 'must be at most 500 characters' }))
    .overwrite((options) => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== '')))
    .meta({ description: `Entries that some kinds need, by name: ${PROVIDER_OPTIONS.join(', ')}.` }),
  headers: addedHeadersSchema.meta({
    description: 'Headers that every request to the provider has, by name. Their values are write-only.',
  }),
};

/** Input for adding a provider. The key is write-only. */
export const providerInputSchema = z
  .strictObject({
    name: nameSchema
      .regex(/^[a-z0-9][a-z0-9._-]*$/i, { error: 'must be made of letters, digits, dots, dashes and underscores' })
      .refine((name) => name !== 'practice', { error: 'must not be "practice": that is the built-in model' })
      .refine((name) => name !== IMPORTED_PROVIDER, { error: 'must not be "imported": imported runs have that name' }),
    kind: choiceOf(STORED_KINDS),
    baseUrl: shared.baseUrl.default(null),
    apiKey: shared.apiKey.default(null),
    maxConcurrency: shared.maxConcurrency.default(null),
    maxRequestsPerMinute: shared.maxRequestsPerMinute.default(null),
    prices: shared.prices.default({}),
    toolsBy: shared.toolsBy.default(null),
    timeoutSeconds: shared.timeoutSeconds.default(null),
    options: shared.options.default({}),
    headers: shared.headers.default({}),
  })
  .superRefine((provider, context) => {
    for (const { path, message } of optionProblems(provider)) context.addIssue({ code: 'custom', path, message });
    const missing = missingBaseUrl(provider);
    if (missing !== null)
      context.addIssue({
        code: 'custom',
        path: ['baseUrl'],
        message: `${missing}, for example http://127.0.0.1:11434/v1`,
      });
  });

/** Returns problems with the options of a provider. */
export function optionProblems({
  kind,
  options,
  apiKey,
  baseUrl,
}: Pick<ProviderConfiguration, 'kind' | 'apiKey' | 'baseUrl'> & { options: ProviderOptions }): {
  path: ['options', ProviderOption];
  message: string;
}[] {
  const { fields = {} } = PROVIDER_DEFINITIONS[kind];
  const problem = (name: ProviderOption, message: string) => ({
    path: ['options', name] as ['options', typeof name],
    message,
  });
  return PROVIDER_OPTIONS.flatMap((name) => {
    const [field, value] = [fields[name], options[name]];
    if (field === undefined) return value === undefined ? [] : [problem(name, `is no entry of ${labelOf(kind)}`)];
    if (value === undefined) {
      if (field.isNeeded) return [problem(name, `is needed for ${labelOf(kind)}: ${field.mustBe}`)];
      const isAccount = kind === 'google-vertex' && baseUrl === null && readServiceAccount(apiKey ?? '') !== null;
      return isAccount && name === 'project' ? [problem(name, 'is needed with the key of a service account')] : [];
    }
    return field.pattern.test(value) ? [] : [problem(name, `must be ${field.mustBe}`)];
  });
}

/** Returns a problem if this kind of provider needs a base URL but none is given or implied by the kind or its options. */
export function missingBaseUrl(
  provider: Pick<ProviderConfiguration, 'baseUrl' | 'options'> & { kind: StoredKind },
): string | null {
  return baseUrlOf(provider) === null ? `is needed for ${labelOf(provider.kind)}` : null;
}

function labelOf(kind: ProviderKind): string {
  const { label } = PROVIDER_DEFINITIONS[kind];
  return `${/^[aeiou]/i.test(label) ? 'an' : 'a'} ${label} provider`;
}

/** Changes of a provider. Omitted fields are kept. A changed base URL deletes the stored key. */
export const providerPatchSchema = z
  .strictObject(shared)
  .partial()
  .extend({
    seenBaseUrl: z
      .string({ error: 'must be a text or null' })
      .max(2_000, { error: 'must be at most 2,000 characters' })
      .nullable()
      .optional()
      .meta({
        description:
          'The base URL in use that you saw. It can come from the kind or from `options`. If it has changed since, the response is 409.',
      }),
    seenOptions: shared.options.optional().meta({
      description: 'The options that you saw. If they have changed since, the response is 409.',
    }),
    forgetRefused: z
      .array(modelName)
      .max(100, { error: 'must name at most 100 models' })
      .optional()
      .meta({ description: 'Models to which parameters that they refused are sent again.' }),
  });

/**
 * Input of a provider test, which requests the model list for free. With `model`, it also makes two small calls to that model. With `call`,
 * it makes one tiny call to the model that would be the default. `temperature` null uses the temperature of experiments with this model, if
 * any.
 */
export const providerTestInputSchema = z.strictObject({
  model: modelName.nullable().default(null),
  call: z.boolean().default(false),
  temperature: numberBetween(0, 2).nullable().default(null),
});

/** Own prices to set per provider and model. Null removes a price. */
export const pricesInputSchema = z.strictObject({
  prices: z
    .array(z.strictObject({ provider: nameSchema, model: modelName, price: priceSchema.nullable() }))
    .min(1, { error: 'must contain at least one price' })
    .max(MAX_PRICES, { error: `must contain at most ${MAX_PRICES} prices` }),
});
