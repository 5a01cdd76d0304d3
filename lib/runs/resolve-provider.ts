import { findProvider } from '#lib/db/find-provider.ts';
import type { ProviderConfiguration } from '#lib/models/provider-configuration.ts';
import { unsealKey } from '#lib/models/sealed-key.ts';
import type { Workshop } from './workshop.ts';

/** The kinds that have an address of their own and can be used with nothing but a key from the environment. */
export const ENVIRONMENT_KINDS = ['openai', 'anthropic', 'google'] as const;

/** Finds providers by name: the stored ones first, then those whose key is in the environment, then the practice model. */
export function providerResolver(
  workshop: Pick<Workshop, 'database' | 'secret' | 'environmentKeys'>,
): (name: string) => Promise<ProviderConfiguration | null> {
  return async (name) => {
    const stored = await findProvider(workshop.database, name);
    if (stored !== null) {
      const { kind, baseUrl, sealedKey, prices, toolsBy } = stored;
      const environmentKey = kind === 'openai-compatible' ? null : (workshop.environmentKeys[kind] ?? null);
      return {
        name,
        kind,
        baseUrl,
        apiKey: sealedKey === null ? environmentKey : unsealKey(workshop.secret, name, sealedKey),
        prices,
        toolsBy,
      };
    }
    const kind = ENVIRONMENT_KINDS.find((candidate) => candidate === name);
    const apiKey = kind === undefined ? undefined : workshop.environmentKeys[kind];
    if (kind !== undefined && apiKey !== undefined) return { name, kind, baseUrl: null, apiKey, prices: {} };
    if (name === 'practice') return { name, kind: 'practice', baseUrl: null, apiKey: null, prices: {} };
    return null;
  };
}
