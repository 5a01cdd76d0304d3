import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { providerTestSchema } from '#lib/providers/provider-test.ts';

const priceSchema = z.object({ inputPerMillionUsd: z.number(), outputPerMillionUsd: z.number() });
const storedProvider = z.object({
  name: z.string(),
  kind: z.enum(['openai', 'anthropic', 'google', 'openai-compatible']),
  baseUrl: z.string().nullable(),
  sealedKey: z.string().nullable(),
  keyLastFour: z.string().nullable(),
  maxConcurrency: z.int().nullable(),
  maxRequestsPerMinute: z.int().nullable(),
  prices: z.record(z.string(), priceSchema),
  toolsBy: z.enum(['native', 'prompt']).nullable(),
  timeoutSeconds: z.int().nullable(),
  test: providerTestSchema.nullable(),
  testedAt: z.date().nullable(),
});
/** A provider as stored: its key sealed. */
export type StoredProvider = z.infer<typeof storedProvider>;

export async function findProvider(database: Database, name: string): Promise<StoredProvider | null> {
  const row = await database.prisma.provider.findUnique({ where: { name } });
  return row === null ? null : storedProvider.parse(row);
}

/** All stored providers by name. */
export async function listStoredProviders(database: Database): Promise<StoredProvider[]> {
  const rows = await database.prisma.provider.findMany({ orderBy: { name: 'asc' } });
  return rows.map((row) => storedProvider.parse(row));
}
