import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Database } from '#lib/database/database.ts';
import type { Provider } from '#lib/database/generated/client.ts';
import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { unsealKey } from '#lib/system/sealed-key.ts';

const storedTarget = z.object({
  name: z.string(),
  kind: z.literal('target'),
  /** URL of the target. Null if the target connects to Hone. */
  baseUrl: z.string().nullable(),
  /** Encrypted secret. */
  sealedKey: z.string().nullable(),
  components: z.record(z.string(), z.object({ text: z.string(), description: z.string() })),
  timeoutSeconds: z.int().nullable(),
  maxConcurrency: z.int().nullable(),
  maxRequestsPerMinute: z.int().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
/** Stored target. It shares the table of providers because limits and encryption are the same. */
export type StoredTarget = z.infer<typeof storedTarget>;

export async function findTarget({ prisma }: Pick<Database, 'prisma'>, name: string): Promise<StoredTarget | null> {
  const row = await prisma.provider.findUnique({ where: { name } });
  return row === null || row.kind !== 'target' ? null : readTarget(row);
}

/** Returns all targets by name. */
export async function listStoredTargets({ prisma }: Pick<Database, 'prisma'>): Promise<StoredTarget[]> {
  const rows = await prisma.provider.findMany({ where: { kind: 'target' }, orderBy: { name: 'asc' } });
  return rows.map(readTarget);
}

function readTarget(row: Provider): StoredTarget {
  return storedTarget.parse({ ...row, components: row.components ?? {} });
}

/** Returns a target's call configuration with its decrypted secret. */
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
