import { z } from 'zod';
import { findMemberAccount, listTakenNames, lockMembers } from '#lib/db/member-accounts.ts';
import { storeMemberName } from '#lib/db/members.ts';
import { tryInTransaction } from '#lib/db/try-in-transaction.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { recordChange } from '#lib/team/audit/record-change.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { isSameName, memberName } from '#lib/team/member-input.ts';
import { parseInput } from '../parse-input.ts';
import type { Workshop } from '../workshop.ts';
import { nobodySignsIn } from './nobody-signs-in.ts';

const renameSchema = z.strictObject({ name: memberName });

/** Gives oneself another name, which nobody else has. What was decided and written before keeps the name it was done under. */
export async function renameOneself(
  workshop: Pick<Workshop, 'database' | 'now'>,
  actor: Actor,
  input: unknown,
): Promise<Result<{ name: string }>> {
  const { memberId } = actor;
  if (memberId === undefined) return nobodySignsIn();
  const parsed = parseInput(renameSchema, input);
  if (!parsed.ok) return parsed;
  const { name } = parsed.value;
  return tryInTransaction(workshop.database, async (client): Promise<Result<{ name: string }>> => {
    await lockMembers(client);
    const before = await findMemberAccount(client, memberId);
    if (before === null) return fail('not_found', 'There is no such member any more.');
    if (before.name === name) return succeed({ name });
    if ((await listTakenNames(client, memberId)).some((other) => isSameName(other.name, name)))
      return fail('conflict', 'Another member goes by this name: choose one that tells you apart.', 'name');
    await storeMemberName(client, memberId, name, workshop.now());
    await recordChange(client, actor, {
      act: 'changed',
      subject: { kind: 'member', id: memberId, name },
      change: { before: before.name, after: name },
    });
    return succeed({ name });
  });
}
