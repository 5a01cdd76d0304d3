import type { AppContext } from '#lib/context/app-context.ts';
import type { ToolsBy } from '#lib/providers/provider-configuration.ts';
import { ENVIRONMENT_KINDS, type ProviderKind } from '#lib/providers/provider-kinds.ts';
import type { ProviderTest } from '#lib/providers/provider-test.ts';
import type { RefusedParameter } from '#lib/providers/refused-parameter-record.ts';
import { type KeyState, listAllRefusedParameters, listKeyStates, type StoredRefusal } from './provider-state.ts';
import { listProviderUse, type ProviderUse } from './queries.ts';
import { environmentKeyOf } from './resolve-provider.ts';
import { listEnvironmentTests, listStoredProviders, type StoredProvider } from './stored-provider.ts';

/** Provider as shown to people, without its key. */
export type ProviderView = {
  name: string;
  kind: ProviderKind;
  baseUrl: string | null;
  hasKey: boolean;
  keyLastFour: string | null;
  source: 'built_in' | 'environment' | 'stored';
  maxConcurrency: number | null;
  maxRequestsPerMinute: number | null;
  prices: StoredProvider['prices'];
  toolsBy: ToolsBy | null;
  /** Timeout of a call, in seconds. Null means the default. */
  timeoutSeconds: number | null;
  options: StoredProvider['options'];
  /** Header names, without their values. */
  headers: StoredProvider['headerNames'];
  /** Parameters refused by its models, which are no longer sent. */
  refused: RefusedParameter[];
  /** Key state from the last conclusive call. Null if not tested. */
  keyState: KeyState | null;
  /** Result of its last test, with the listed models. Null before the first test. */
  test: (ProviderTest & { at: string }) | null;
  use: ProviderUse;
  usedByExperiments: number;
};

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
  const { name, kind, baseUrl, sealedKey, keyLastFour, maxConcurrency, maxRequestsPerMinute, prices } = provider;
  const { toolsBy, timeoutSeconds, options, headerNames } = provider;
  const hasKey = sealedKey !== null || environmentKeyOf(context, provider) !== null;
  return {
    name,
    kind,
    baseUrl,
    hasKey,
    keyLastFour,
    source: 'stored',
    maxConcurrency,
    maxRequestsPerMinute,
    prices,
    toolsBy,
    timeoutSeconds,
    options,
    headers: headerNames,
    refused: refusedAt(refused, name, baseUrl),
    keyState: keyStateOf(provider),
    test: testView(provider.test, provider.testedAt),
    use,
    usedByExperiments: use.experiments,
  };
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
