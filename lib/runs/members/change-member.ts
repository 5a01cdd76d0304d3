import type pg from 'pg';
import { z } from 'zod';
import { deleteSessions, findMemberAccount, lockMembers, type MemberAccount } from '#lib/db/member-accounts.ts';
import { countOwners, findMember, storeMemberDisabled, storeMemberRole } from '#lib/db/members.ts';
import { tryInTransaction } from '#lib/db/try-in-transaction.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { ROLES, type Role } from '#lib/reflection/role.ts';
import { oneOf } from '#lib/reflection/setting-parts.ts';
import type { Member } from '#lib/reflection/team/member.ts';
import { recordChange } from '#lib/team/audit/record-change.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { parseInput } from '../parse-input.ts';
import type { Workshop } from '../workshop.ts';

/** What an owner changes of a member. */
export const memberChangeSchema = z
  .strictObject({
    role: oneOf(ROLES).optional(),
    disabled: z
      .boolean({ error: 'must be true or false' })
      .optional()
      .meta({ description: 'true: they can’t sign in, and their sessions end; false: they can again.' }),
  })
  .refine(({ role, disabled }) => role !== undefined || disabled !== undefined, {
    error: 'must name a role, or say whether the member is disabled',
  });

/** Gives a member another role, or takes them out of the team and back in. One owner who can sign in always stays. */
export async function changeMember(
  workshop: Pick<Workshop, 'database' | 'now'>,
  actor: Actor,
  memberId: string,
  input: unknown,
): Promise<Result<Member>> {
  const parsed = parseInput(memberChangeSchema, input);
  if (!parsed.ok) return parsed;
  const { role, disabled } = parsed.value;
  const now = workshop.now();
  return tryInTransaction(workshop.database, async (client): Promise<Result<Member>> => {
    await lockMembers(client);
    const before = await findMemberAccount(client, memberId);
    if (before === null) return noMember();
    if (disabled === true && memberId === actor.memberId)
      return fail('conflict', 'You can’t disable yourself: ask another owner.', 'disabled');
    const isOwnerLost = before.role === 'owner' && (disabled === true || (role !== undefined && role !== 'owner'));
    if (isOwnerLost && before.disabledAt === null && (await countOwners(client)) === 1)
      return fail(
        'conflict',
        `${before.name} is the last owner and stays one. Make somebody else an owner first.`,
        disabled === true ? 'disabled' : 'role',
      );
    if (role !== undefined && role !== before.role) await changeRole(client, { actor, before, role, now });
    if (disabled !== undefined && disabled !== (before.disabledAt !== null))
      await changeAccess(client, { actor, before, disabled, now });
    const after = await findMember({ pool: client }, memberId, now);
    return after === null ? noMember() : succeed(after);
  });
}

/** Nobody goes by this id. */
export function noMember(): Result<never> {
  return fail('not_found', 'There is no member with this id.');
}

type Change = { actor: Actor; before: MemberAccount; now: Date };

async function changeRole(client: pg.PoolClient, { actor, before, role, now }: Change & { role: Role }) {
  await storeMemberRole(client, before.id, role, now);
  await recordChange(client, actor, {
    act: 'changed_role',
    subject: { kind: 'member', id: before.id, name: before.name },
    change: { before: before.role, after: role },
  });
}

async function changeAccess(client: pg.PoolClient, { actor, before, disabled, now }: Change & { disabled: boolean }) {
  await storeMemberDisabled(client, before.id, disabled ? now : null, now);
  const ended = disabled ? await deleteSessions(client, before.id) : 0;
  await recordChange(client, actor, {
    act: disabled ? 'disabled' : 'enabled',
    subject: { kind: 'member', id: before.id, name: before.name },
    change: disabled ? { sessionsEnded: ended } : {},
  });
}
