import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { type ProviderTest, providerTestSchema } from '#lib/providers/provider-test.ts';

const PREFIX = 'provider_test.';
const rowSchema = z.object({ key: z.string(), value: providerTestSchema, updatedAt: z.date() });

/** What tests of providers came to that have no row of their own, since only the environment names them; by provider. */
export async function listEnvironmentTests(
  database: Database,
): Promise<Record<string, { test: ProviderTest; testedAt: Date }>> {
  const rows = await database.prisma.installationSetting.findMany({ where: { key: { startsWith: PREFIX } } });
  const tests: Record<string, { test: ProviderTest; testedAt: Date }> = Object.create(null);
  for (const row of rows) {
    const { key, value, updatedAt } = rowSchema.parse(row);
    tests[key.slice(PREFIX.length)] = { test: value, testedAt: updatedAt };
  }
  return tests;
}

export async function saveEnvironmentTest(
  transaction: Prisma.TransactionClient,
  tested: { provider: string; test: ProviderTest; by: string; now: Date },
): Promise<void> {
  const key = `${PREFIX}${tested.provider}`;
  const row = { value: tested.test, updatedBy: tested.by, updatedAt: tested.now };
  await transaction.installationSetting.upsert({ where: { key }, create: { key, ...row }, update: row });
}
