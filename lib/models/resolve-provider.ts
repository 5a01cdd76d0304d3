import type { AppContext } from '#lib/context/app-context.ts';
import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { unsealKey } from '#lib/system/sealed-key.ts';
import { findProvider, type StoredProvider } from './find-provider.ts';
import { listRefusedParameters } from './stored-refused-parameters.ts';

/** The kinds that have an address of their own and can be used with nothing but a key from the environment. */
export const ENVIRONMENT_KINDS = ['openai', 'anthropic', 'google'] as const;

/** Finds providers by name: the stored ones first, then those whose key is in the environment, then the practice model. */
export function providerResolver(
  context: Pick<AppContext, 'database' | 'secret' | 'environmentKeys'>,
): (name: string) => Promise<ProviderConfiguration | null> {
  return async (name) => {
    const stored = await findProvider(context.database, name);
    if (stored !== null) {
      const { kind, baseUrl, sealedKey, prices, toolsBy, timeoutSeconds } = stored;
      return {
        name,
        kind,
        baseUrl,
        apiKey: sealedKey === null ? environmentKeyOf(context, stored) : unsealKey(context.secret, name, sealedKey),
        prices,
        toolsBy,
        timeoutSeconds,
        refused: await listRefusedParameters(context.database, { provider: name, baseUrl }),
      };
    }
    const kind = ENVIRONMENT_KINDS.find((candidate) => candidate === name);
    const apiKey = kind === undefined ? undefined : context.environmentKeys[kind];
    if (kind !== undefined && apiKey !== undefined) {
      const refused = await listRefusedParameters(context.database, { provider: name, baseUrl: null });
      return { name, kind, baseUrl: null, apiKey, prices: {}, refused };
    }
    if (name === 'practice') return { name, kind: 'practice', baseUrl: null, apiKey: null, prices: {} };
    return null;
  };
}

/** The environment's key for a stored provider: only at the kind's own address, since it must not go where it was not meant for. */
export function environmentKeyOf(
  { environmentKeys }: Pick<AppContext, 'environmentKeys'>,
  { kind, baseUrl }: Pick<StoredProvider, 'kind' | 'baseUrl'>,
): string | null {
  return kind === 'openai-compatible' || baseUrl !== null ? null : (environmentKeys[kind] ?? null);
}
