import type { Workshop } from '#lib/context/app-context.ts';
import { findProvider, type StoredProvider } from './find-provider.ts';
import { ENVIRONMENT_KINDS } from './resolve-provider.ts';
import { insertProvider } from './write-provider.ts';

/** A stored provider. One that only the environment names gets a row, without a key, so that limits and prices can be kept of it; null for others. */
export async function storedOrAdopted(
  workshop: Pick<Workshop, 'database' | 'environmentKeys' | 'now'>,
  name: string,
): Promise<StoredProvider | null> {
  const stored = await findProvider(workshop.database, name);
  const kind = ENVIRONMENT_KINDS.find((candidate) => candidate === name);
  if (stored !== null || kind === undefined || workshop.environmentKeys[kind] === undefined) return stored;
  await insertProvider(workshop.database.prisma, {
    name,
    kind,
    baseUrl: null,
    sealedKey: null,
    keyLastFour: null,
    maxConcurrency: null,
    maxRequestsPerMinute: null,
    prices: {},
    now: workshop.now(),
  });
  return findProvider(workshop.database, name);
}
