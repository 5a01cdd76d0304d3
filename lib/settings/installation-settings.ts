import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { type MonthBudget, monthBudgetSchema } from './schema.ts';

/** A setting of the whole installation, and who set it when; never set: null. */
export type InstallationSetting<Value> = { value: Value; updatedBy: string; updatedAt: string };

const switchSchema = z.boolean();

/** What can be turned on for the whole installation. */
type Switch = 'python' | 'two_person_review';

/** Whether something is turned on for the installation. */
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

/** The month's budget as it is set; without one nothing is held. */
export async function findMonthBudget(database: Database): Promise<MonthBudget> {
  const row = await database.prisma.installationSetting.findUnique({ where: { key: 'month_budget' } });
  return monthBudgetSchema.parse(row?.value ?? {});
}
