import type { Database } from './database.ts';
import type { StoredProvider } from './find-provider.ts';

/** Stores a new provider; false when the name is taken. */
export async function insertProvider(database: Database, provider: StoredProvider & { now: Date }): Promise<boolean> {
  const { now, ...data } = provider;
  const { count } = await database.prisma.provider.createMany({
    data: [{ ...data, createdAt: now, updatedAt: now }],
    skipDuplicates: true,
  });
  return count === 1;
}

/** Changes a provider; false when it is gone. */
export async function changeProvider(
  database: Database,
  name: string,
  change: Partial<Omit<StoredProvider, 'name' | 'kind'>>,
  now: Date,
): Promise<boolean> {
  const { count } = await database.prisma.provider.updateMany({ where: { name }, data: { ...change, updatedAt: now } });
  return count === 1;
}

export async function deleteStoredProvider(database: Database, name: string): Promise<boolean> {
  const { count } = await database.prisma.provider.deleteMany({ where: { name } });
  return count === 1;
}
