import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import {
  type MonthBudget,
  monthBudgetSchema,
  purgedSchema,
  type Retention,
  type RetentionView,
  retentionSchema,
} from './schema.ts';

/** An installation-wide setting, with the person who set it and the time. */
export type InstallationSetting<Value> = { value: Value; updatedBy: string; updatedAt: string };

const switchSchema = z.boolean();

/** A feature that can be turned on for the whole installation. */
type Switch = 'python' | 'two_person_review';

/** Returns the setting of a switch, or null if it was never set. */
export async function findSwitch(
  database: { prisma: Transaction },
  key: Switch,
): Promise<InstallationSetting<boolean> | null> {
  const row = await database.prisma.installationSetting.findUnique({ where: { key } });
  if (row === null) return null;
  return { value: switchSchema.parse(row.value), updatedBy: row.updatedBy, updatedAt: row.updatedAt.toISOString() };
}

export async function writeSwitch(
  transaction: Prisma.TransactionClient,
  setting: { key: Switch; value: boolean; updatedBy: string; now: Date },
): Promise<void> {
  const { key, value, updatedBy, now } = setting;
  const row = { value, updatedBy, updatedAt: now };
  await transaction.installationSetting.upsert({ where: { key }, create: { key, ...row }, update: row });
}

export async function writeMonthBudget(
  transaction: Prisma.TransactionClient,
  { value, updatedBy, now }: { value: MonthBudget; updatedBy: string; now: Date },
): Promise<void> {
  const row = { value, updatedBy, updatedAt: now };
  const key = 'month_budget';
  await transaction.installationSetting.upsert({ where: { key }, create: { key, ...row }, update: row });
}

/** Returns the monthly budget. The default has no limit. */
export async function findMonthBudget({ prisma }: { prisma: Transaction }): Promise<MonthBudget> {
  const row = await prisma.installationSetting.findUnique({ where: { key: 'month_budget' } });
  return monthBudgetSchema.parse(row?.value ?? {});
}

const SETTING = 'retention';
const LAST = 'last_purge';

const lastSchema = z.object({ by: z.string(), purged: purgedSchema });

/** Returns the retention setting. Null if it was never set, which means that everything is kept. */
export async function findRetention({
  prisma,
}: {
  prisma: Transaction;
}): Promise<InstallationSetting<Retention> | null> {
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
