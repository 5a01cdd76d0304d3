import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { type RecordedChange, recordChange } from '#lib/auth/record-change.ts';
import type { AppContext, TimedContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { lockUntilCommit } from '#lib/database/locks.ts';
import { withIsoTimes } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { type MonthBudget, monthBudgetSchema, purgedSchema, retentionSchema } from './schema.ts';

/** A kind of installation-wide setting: its key and the schema of its value. */
type SettingKind<Value> = { key: string; schema: z.ZodType<Value> };

export const PYTHON_SETTING = { key: 'python', schema: z.boolean() };
export const TWO_PERSON_REVIEW_SETTING = { key: 'two_person_review', schema: z.boolean() };
export const MONTH_BUDGET_SETTING = { key: 'month_budget', schema: monthBudgetSchema };
/** If it was never set, everything is kept. */
export const RETENTION_SETTING = { key: 'retention', schema: retentionSchema };
/** The person who requested the last purge, and the removed rows. */
export const LAST_PURGE = { key: 'last_purge', schema: z.object({ by: z.string(), purged: purgedSchema }) };

/** An installation-wide setting, with the person who set it and the time. */
export type InstallationSetting<Value> = { value: Value; updatedBy: string; updatedAt: string };

/** Returns a setting, or null if it was never set. */
export async function findSetting<Value>(
  { prisma }: { prisma: Transaction },
  { key, schema }: SettingKind<Value>,
): Promise<InstallationSetting<Value> | null> {
  const row = await prisma.installationSetting.findUnique({ where: { key }, omit: { key: true } });
  return row === null ? null : { ...withIsoTimes(row), value: schema.parse(row.value) };
}

/** Stores the value of a setting. */
export async function writeSetting<Value extends Prisma.InputJsonValue>(
  client: Transaction,
  { key }: SettingKind<Value>,
  row: { value: Value; updatedBy: string; updatedAt: Date | string },
): Promise<void> {
  await client.installationSetting.upsert({ where: { key }, create: { key, ...row }, update: row });
}

/**
 * Changes fields of a setting and records it. Other fields are kept, also those that others change at the same time. Values that are
 * already stored are not written. `describe` returns the entry of the audit log.
 */
export async function changeFields<Value extends Prisma.InputJsonObject>(
  { database, now }: TimedContext,
  actor: Actor,
  { setting, fields }: { setting: SettingKind<Value>; fields: Partial<Value> },
  describe: (after: Value, before: Value) => Omit<RecordedChange, 'act'>,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lockUntilCommit(transaction, setting.key);
    const stored = await findSetting({ prisma: transaction }, setting);
    const before = stored?.value ?? setting.schema.parse({});
    const value = { ...before, ...fields };
    if (stored !== null && isDeepStrictEqual(value, before)) return;
    await writeSetting(transaction, setting, { value, updatedBy: actor.name, updatedAt: now() });
    await recordChange(transaction, actor, { act: 'changed', ...describe(value, before) });
  });
}

const switchInputSchema = z.strictObject({ on: z.boolean() });

/** Turns a feature on or off for the whole installation: `{on}`. `name` is its name in the audit log. */
export async function updateSwitch(
  { database, now }: AppContext,
  actor: Actor,
  { name, ...setting }: SettingKind<boolean> & { name: string },
  input: unknown,
): Promise<Result<{ on: boolean }>> {
  const parsed = parseInput(switchInputSchema, input);
  if (!parsed.ok) return parsed;
  const { on } = parsed.value;
  return inTransaction(database, async (transaction) => {
    await lockUntilCommit(transaction, setting.key);
    if ((await findSetting({ prisma: transaction }, setting))?.value === on) return succeed({ on });
    await writeSetting(transaction, setting, { value: on, updatedBy: actor.name, updatedAt: now() });
    const subject = { kind: 'setting', id: setting.key, name } as const;
    await recordChange(transaction, actor, { act: 'changed', subject, change: { on } });
    return succeed({ on });
  });
}

/** Returns the monthly budget. The default has no limit. */
export async function findMonthBudget(database: { prisma: Transaction }): Promise<MonthBudget> {
  return (await findSetting(database, MONTH_BUDGET_SETTING))?.value ?? monthBudgetSchema.parse({});
}
