import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext, DatabaseContext } from '#lib/context/app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import {
  findSetting,
  type InstallationSetting,
  TWO_PERSON_REVIEW_SETTING,
  updateSwitch,
} from './installation-settings.ts';

/** Returns the setting that two people must approve a lesson before it is promoted. Null if it was never set, which means one is enough. */
export function getTwoPersonReview({ database }: DatabaseContext): Promise<InstallationSetting<boolean> | null> {
  return findSetting(database, TWO_PERSON_REVIEW_SETTING);
}

/** Returns true if two people must approve a lesson before it is promoted. */
export async function requiresTwoPeople(prisma: Transaction): Promise<boolean> {
  return (await findSetting({ prisma }, TWO_PERSON_REVIEW_SETTING))?.value === true;
}

/** Turns two-person review of lessons on or off: `{on}`. Lessons that are already promoted stay promoted. */
export function updateTwoPersonReview(
  context: AppContext,
  actor: Actor,
  input: unknown,
): Promise<Result<{ on: boolean }>> {
  return updateSwitch(context, actor, { ...TWO_PERSON_REVIEW_SETTING, name: 'Two-person review' }, input);
}
