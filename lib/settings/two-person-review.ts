import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { findSwitch, type InstallationSetting, writeSwitch } from './installation-settings.ts';

const inputSchema = z.strictObject({ on: z.boolean() });

/** Returns the setting that two people must approve a lesson before it is promoted. Null if it was never set, which means one is enough. */
export function getTwoPersonReview({
  database,
}: Pick<AppContext, 'database'>): Promise<InstallationSetting<boolean> | null> {
  return findSwitch(database, 'two_person_review');
}

/** Returns true if two people must approve a lesson before it is promoted. */
export async function requiresTwoPeople(prisma: Transaction): Promise<boolean> {
  return (await findSwitch({ prisma }, 'two_person_review'))?.value === true;
}

/** Turns two-person review of lessons on or off: `{on}`. Lessons that are already promoted stay promoted. */
export async function updateTwoPersonReview(
  { database, now }: AppContext,
  actor: Actor,
  input: unknown,
): Promise<Result<{ on: boolean }>> {
  const parsed = parseInput(inputSchema, input);
  if (!parsed.ok) return parsed;
  const { on } = parsed.value;
  return inTransaction(database, async (transaction) => {
    await writeSwitch(transaction, { key: 'two_person_review', value: on, updatedBy: actor.name, now: now() });
    await recordChange(transaction, actor, {
      act: 'changed',
      subject: { kind: 'setting', id: 'two_person_review', name: 'Two-person review' },
      change: { on },
    });
    return succeed({ on });
  });
}
