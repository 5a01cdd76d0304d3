import type { AppContext } from '#lib/context/app-context.ts';
import { findProvider, type StoredProvider } from './find-provider.ts';
import { ENVIRONMENT_KINDS } from './resolve-provider.ts';
import { insertProvider } from './write-provider.ts';

/** A stored provider. One that only the environment names gets a row, without a key, so that limits and prices can be kept of it; null for others. */
export async function storedOrAdopted(
  context: Pick<AppContext, 'database' | 'environmentKeys' | 'now'>,
  name: string,
): Promise<StoredProvider | null> {
  const stored = await findProvider(context.database, name);
  const kind = ENVIRONMENT_KINDS.find((candidate) => candidate === name);
  if (stored !== null || kind === undefined || context.environmentKeys[kind] === undefined) return stored;
  await insertProvider(context.database.prisma, {
    name,
    kind,
    baseUrl: null,
    sealedKey: null,
    keyLastFour: null,
    maxConcurrency: null,
    maxRequestsPerMinute: null,
    prices: {},
    now: context.now(),
  });
  return findProvider(context.database, name);
}
