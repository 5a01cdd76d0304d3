import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { findMemberAccount, listTakenNames, lockMembers } from '#lib/auth/member-accounts.ts';
import { isSameName, memberName } from '#lib/auth/member-input.ts';
import { storeMemberName } from '#lib/auth/members.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { tryInTransaction } from '#lib/database/try-in-transaction.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { refuseWithoutSignIn } from './refuse-without-sign-in.ts';

const renameSchema = z.strictObject({ name: memberName });

/** Gives oneself another name, which nobody else has. What was decided and written before keeps the name it was done under. */
export async function renameSelf(
  context: Pick<AppContext, 'database' | 'now'>,
  actor: Actor,
  input: unknown,
): Promise<Result<{ name: string }>> {
  const { memberId } = actor;
  if (memberId === undefined) return refuseWithoutSignIn();
  const parsed = parseInput(renameSchema, input);
  if (!parsed.ok) return parsed;
  const { name } = parsed.value;
  return tryInTransaction(context.database, async (client): Promise<Result<{ name: string }>> => {
    await lockMembers(client);
    const before = await findMemberAccount(client, memberId);
    if (before === null) return fail('not_found', 'There is no such member any more.');
    if (before.name === name) return succeed({ name });
    if ((await listTakenNames(client, memberId)).some((other) => isSameName(other.name, name)))
      return fail('conflict', 'Another member goes by this name: choose one that tells you apart.', 'name');
    await storeMemberName(client, memberId, name, context.now());
    await recordChange(client, actor, {
      act: 'changed',
      subject: { kind: 'member', id: memberId, name },
      change: { before: before.name, after: name },
    });
    return succeed({ name });
  });
}
