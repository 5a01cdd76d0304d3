import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import { count, time } from '#lib/http/fields.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '#lib/providers/provider-configuration.ts';
import { ENVIRONMENT_KINDS, PROVIDER_OPTIONS, type ProviderKind } from '#lib/providers/provider-kinds.ts';
import { type ProviderTest, providerTestSchema } from '#lib/providers/provider-test.ts';
import { REFUSABLE_PARAMETERS, type RefusedParameter } from '#lib/providers/refused-parameter-record.ts';
import { shownHeaderSchema } from '#lib/system/sealed-headers.ts';
import {
  type KeyState,
  keyStateSchema,
  listAllRefusedParameters,
  listKeyStates,
  type StoredRefusal,
} from './provider-state.ts';
import { listProviderUse, type ProviderUse, providerUseSchema } from './queries.ts';
import { environmentKeyOf } from './resolve-provider.ts';
import { listEnvironmentTests, listStoredProviders, priceSchema, type StoredProvider } from './stored-provider.ts';

/** Result of a provider's last test, with the listed models. */
export const providerTestViewSchema = providerTestSchema.extend({ at: time });

/** Provider as shown to people, without its key. */
export const providerViewSchema = z.object({
  name: z.string(),
  kind: z.string(),
  baseUrl: z.string().nullable(),
  hasKey: z.boolean(),
  keyLastFour: z.string().nullable(),
  source: z.enum(['built_in', 'environment', 'stored']),
  maxConcurrency: z.int().nullable(),
  maxRequestsPerMinute: z.int().nullable(),
  prices: z.record(z.string(), priceSchema),
  toolsBy: z.enum(['native', 'prompt']).nullable(),
  timeoutSeconds: z
    .int()
    .nullable()
    .meta({ description: `Timeout of a call in seconds. Null: ${DEFAULT_TIMEOUT_SECONDS}.` }),
  options: z
    .partialRecord(z.enum(PROVIDER_OPTIONS), z.string())
    .meta({ description: 'Options of this kind of provider, by name.' }),
  headers: z.array(shownHeaderSchema).meta({ description: 'Headers of every request, without their values.' }),
  refused: z
    .array(
      z.object({
        model: z.string(),
        parameter: z.enum(REFUSABLE_PARAMETERS),
        message: z.string(),
        refusedAt: z.iso.datetime(),
      }),
    )
    .meta({ description: 'Parameters that its models refused and that are no longer sent.' }),
  keyState: keyStateSchema.nullable().meta({
    description: 'Whether the last test or run could use the key. Null: not tested.',
  }),
  test: providerTestViewSchema.nullable(),
  use: providerUseSchema,
  usedByExperiments: count,
});
export type ProviderView = Omit<z.infer<typeof providerViewSchema>, 'kind'> & { kind: ProviderKind };

const PLAIN = {
  baseUrl: null,
  keyLastFour: null,
  maxConcurrency: null,
  maxRequestsPerMinute: null,
  prices: {},
  toolsBy: null,
  timeoutSeconds: null,
  options: {},
  headers: [],
};
const UNUSED: ProviderUse = { experiments: 0, prompts: 0, models: [], named: [] };

/** Returns all providers: the practice model, those with a key in the environment, then the stored ones by name. */
export async function listProviders(context: AppContext): Promise<ProviderView[]> {
  const [stored, uses, tests, refused, keyStateOf] = await Promise.all([
    listStoredProviders(context.database),
    listProviderUse(context.database),
    listEnvironmentTests(context.database),
    listAllRefusedParameters(context.database),
    listKeyStates(context.database),
  ]);
  const usersOf = (name: string) => {
    const use = uses[name] ?? UNUSED;
    return { use, usedByExperiments: use.experiments };
  };
  const environment = ENVIRONMENT_KINDS.filter(
    (kind) => context.environmentKeys[kind] !== undefined && !stored.some((provider) => provider.name === kind),
  );
  return [
    {
      ...PLAIN,
      name: 'practice',
      kind: 'practice',
      hasKey: false,
      source: 'built_in',
      keyState: null,
      test: null,
      refused: [],
      ...usersOf('practice'),
    },
    ...environment.map((kind) => ({
      ...PLAIN,
      name: kind,
      kind,
      hasKey: true,
      source: 'environment' as const,
      keyState: keyStateOf({ name: kind, baseUrl: null }),
      test: testView(tests[kind]?.test ?? null, tests[kind]?.testedAt ?? null),
      refused: refusedAt(refused, kind, null),
      ...usersOf(kind),
    })),
    ...stored.map((provider) =>
      providerView(context, provider, { use: usersOf(provider.name).use, refused, keyStateOf }),
    ),
  ];
}

/** Returns a stored provider without its key. */
export function providerView(
  context: Pick<AppContext, 'environmentKeys'>,
  provider: StoredProvider,
  known: {
    use?: ProviderUse | undefined;
    refused?: readonly StoredRefusal[];
    keyStateOf?: (provider: StoredProvider) => KeyState | null;
  } = {},
): ProviderView {
  const { use = UNUSED, refused = [], keyStateOf = () => null } = known;
  const shown = providerViewSchema.parse({
    ...provider,
    hasKey: provider.sealedKey !== null || environmentKeyOf(context, provider) !== null,
    source: 'stored',
    headers: provider.headerNames,
    refused: refusedAt(refused, provider.name, provider.baseUrl),
    keyState: keyStateOf(provider),
    test: testView(provider.test, provider.testedAt),
    use,
    usedByExperiments: use.experiments,
  });
  return { ...shown, kind: provider.kind };
}

/** Returns the parameters refused at a provider's current base URL. */
function refusedAt(refused: readonly StoredRefusal[], name: string, baseUrl: string | null): RefusedParameter[] {
  return refused
    .filter((one) => one.provider === name && one.baseUrl === baseUrl)
    .map(({ model, parameter, message, refusedAt }) => ({ model, parameter, message, refusedAt }));
}

function testView(test: ProviderTest | null, at: Date | null): ProviderView['test'] {
  return test === null || at === null ? null : { ...test, at: at.toISOString() };
}
