import type pg from 'pg';
import { Prisma } from '#lib/database/generated/client.ts';
import type { ProviderTest } from '#lib/providers/provider-test.ts';
import type { StoredProvider } from './find-provider.ts';

type Written = Omit<StoredProvider, 'test' | 'testedAt' | 'toolsBy' | 'timeoutSeconds'> &
  Partial<Pick<StoredProvider, 'toolsBy' | 'timeoutSeconds'>>;

/** Stores a new provider; false when the name is taken. */
export async function insertProvider(
  transaction: Prisma.TransactionClient,
  provider: Written & { now: Date },
): Promise<boolean> {
  const { now, ...data } = provider;
  const { count } = await transaction.provider.createMany({
    data: [{ ...data, createdAt: now, updatedAt: now }],
    skipDuplicates: true,
  });
  return count === 1;
}

/** Changes a provider; false when it is gone. `forgetTest`: what it was last tested as is no longer so. */
export async function changeProvider(
  transaction: Prisma.TransactionClient,
  name: string,
  { forgetTest, ...change }: Partial<Omit<Written, 'name' | 'kind'>> & { forgetTest?: boolean },
  now: Date,
): Promise<boolean> {
  const data = { ...change, ...(forgetTest && { test: Prisma.DbNull, testedAt: null }), updatedAt: now };
  const { count } = await transaction.provider.updateMany({ where: { name }, data });
  return count === 1;
}

/** Sets and takes away own prices of single models; the others stay, also those that somebody sets meanwhile. */
export async function changeProviderPrices(
  client: pg.PoolClient,
  name: string,
  { set, taken }: { set: StoredProvider['prices']; taken: string[] },
  now: Date,
): Promise<void> {
  await client.query(
    'UPDATE providers SET prices = (prices || $2::jsonb) - $3::text[], updated_at = $4 WHERE name = $1',
    [name, JSON.stringify(set), taken, now],
  );
}

/** Keeps what a test of a provider came to; false where it is not stored, or was moved to another address since. */
export async function saveProviderTest(
  transaction: Prisma.TransactionClient,
  provider: { name: string; baseUrl: string | null },
  test: ProviderTest,
  now: Date,
): Promise<boolean> {
  const { count } = await transaction.provider.updateMany({ where: provider, data: { test, testedAt: now } });
  return count === 1;
}

export async function deleteStoredProvider(transaction: Prisma.TransactionClient, name: string): Promise<boolean> {
  const { count } = await transaction.provider.deleteMany({ where: { name } });
  return count === 1;
}
