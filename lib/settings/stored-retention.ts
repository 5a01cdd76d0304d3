import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import type { InstallationSetting } from './installation-settings.ts';
import { purgedSchema, type Retention, type RetentionView, retentionSchema } from './schema.ts';

const SETTING = 'retention';
const LAST = 'last_purge';

const lastSchema = z.object({ by: z.string(), purged: purgedSchema });

/** Returns the retention setting. Null if it was never set, which means that everything is kept. */
export async function findRetention({
  prisma,
}: Pick<Database, 'prisma'>): Promise<InstallationSetting<Retention> | null> {
  const row = await prisma.installationSetting.findUnique({ where: { key: SETTING } });
  if (row === null) return null;
  return {
    value: retentionSchema.parse(row.value),
    updatedBy: row.updatedBy,
    updatedAt: row.updatedAt.toISOString(),
  };
}

export async function writeRetention(
  transaction: Prisma.TransactionClient,
  { value, updatedBy, now }: { value: Retention; updatedBy: string; now: Date },
): Promise<void> {
  const row = { value, updatedBy, updatedAt: now };
  await transaction.installationSetting.upsert({
    where: { key: SETTING },
    create: { key: SETTING, ...row },
    update: row,
  });
}

/** Returns the last purge: the removed rows, the person and the time. Null if there was none. */
export async function findLastPurge({ prisma }: Pick<Database, 'prisma'>): Promise<RetentionView['lastPurge']> {
  const row = await prisma.installationSetting.findUnique({ where: { key: LAST } });
  return row === null ? null : { at: row.updatedAt.toISOString(), ...lastSchema.parse(row.value) };
}

export async function writeLastPurge(
  { prisma }: Pick<Database, 'prisma'>,
  { by, purged, now }: z.infer<typeof lastSchema> & { now: Date },
): Promise<void> {
  const row = { value: { by, purged }, updatedBy: by, updatedAt: now };
  await prisma.installationSetting.upsert({ where: { key: LAST }, create: { key: LAST, ...row }, update: row });
}
