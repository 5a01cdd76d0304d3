import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Database } from '#lib/database/database.ts';
import type { Provider } from '#lib/database/generated/client.ts';
import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { unsealKey } from '#lib/system/sealed-key.ts';

const storedTarget = z.object({
  name: z.string(),
  kind: z.literal('target'),
  /** Where it is called; null: it connects to Hone. */
  baseUrl: z.string().nullable(),
  /** Its secret, sealed. */
  sealedKey: z.string().nullable(),
  components: z.record(z.string(), z.object({ text: z.string(), description: z.string() })),
  timeoutSeconds: z.int().nullable(),
  maxConcurrency: z.int().nullable(),
  maxRequestsPerMinute: z.int().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
/** A target as stored, in the table of providers: limits and seals are the same. */
export type StoredTarget = z.infer<typeof storedTarget>;

export async function findTarget({ prisma }: Pick<Database, 'prisma'>, name: string): Promise<StoredTarget | null> {
  const row = await prisma.provider.findUnique({ where: { name } });
  return row === null || row.kind !== 'target' ? null : readTarget(row);
}

/** All targets by name. */
export async function listStoredTargets({ prisma }: Pick<Database, 'prisma'>): Promise<StoredTarget[]> {
  const rows = await prisma.provider.findMany({ where: { kind: 'target' }, orderBy: { name: 'asc' } });
  return rows.map(readTarget);
}

function readTarget(row: Provider): StoredTarget {
  return storedTarget.parse({ ...row, components: row.components ?? {} });
}

/** How a target is asked, its secret opened. */
export function targetConfiguration(
  { secret }: Pick<AppContext, 'secret'>,
  { name, kind, baseUrl, sealedKey, timeoutSeconds }: StoredTarget,
): ProviderConfiguration {
  return {
    name,
    kind,
    baseUrl,
    apiKey: sealedKey === null ? null : unsealKey(secret, name, sealedKey),
    prices: {},
    timeoutSeconds,
  };
}
