import { countProviderUse } from '#lib/db/count-provider-use.ts';
import { listStoredProviders, type StoredProvider } from '#lib/db/find-provider.ts';
import { ENVIRONMENT_KINDS } from './resolve-provider.ts';
import type { Workshop } from './workshop.ts';

/** A provider as people see it: never with its key. */
export type ProviderView = {
  name: string;
  kind: StoredProvider['kind'] | 'practice';
  baseUrl: string | null;
  hasKey: boolean;
  keyLastFour: string | null;
  source: 'built_in' | 'environment' | 'stored';
  maxConcurrency: number | null;
  maxRequestsPerMinute: number | null;
  prices: StoredProvider['prices'];
  usedByExperiments: number;
};

/** All providers: the practice model, those whose key is in the environment, then the stored ones by name. */
export async function listProviders(workshop: Workshop): Promise<ProviderView[]> {
  const stored = await listStoredProviders(workshop.database);
  const use = await countProviderUse(workshop.database);
  const usedByExperiments = (name: string) => use[name] ?? 0;
  const without = { baseUrl: null, keyLastFour: null, maxConcurrency: null, maxRequestsPerMinute: null, prices: {} };
  const environment = ENVIRONMENT_KINDS.filter(
    (kind) => workshop.environmentKeys[kind] !== undefined && !stored.some((provider) => provider.name === kind),
  );
  return [
    {
      ...without,
      name: 'practice',
      kind: 'practice',
      hasKey: false,
      source: 'built_in',
      usedByExperiments: usedByExperiments('practice'),
    },
    ...environment.map((kind) => ({
      ...without,
      name: kind,
      kind,
      hasKey: true,
      source: 'environment' as const,
      usedByExperiments: usedByExperiments(kind),
    })),
    ...stored.map((provider) => providerView(workshop, provider, usedByExperiments(provider.name))),
  ];
}

/** A stored provider without its key. */
export function providerView(workshop: Workshop, provider: StoredProvider, usedByExperiments: number): ProviderView {
  const { name, kind, baseUrl, sealedKey, keyLastFour, maxConcurrency, maxRequestsPerMinute, prices } = provider;
  const hasKey = sealedKey !== null || (kind !== 'openai-compatible' && workshop.environmentKeys[kind] !== undefined);
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
    usedByExperiments,
  };
}
