import { z } from 'zod';
import { deleteAssignmentsOf } from '#lib/assignments/queries.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { withdrawLinksMadeBy } from '#lib/auth/member-links.ts';
import type { ChangedMember } from '#lib/auth/member-schema.ts';
import {
  countOwners,
  deleteSessions,
  findMember,
  findMemberAccount,
  type MemberAccount,
  updateMember,
} from '#lib/auth/members.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import { ROLES, type Role, roleAllows } from '#lib/auth/role.ts';
import type { DatabaseContext, TimedContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { oneOf } from '#lib/core/setting-parts.ts';
import { lockMembers } from '#lib/database/locks.ts';
import { type Transaction, tryInTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';

/** Changes that an owner can make to a member. */
export const memberChangeSchema = z
  .strictObject({
    role: oneOf(ROLES).optional(),
    disabled: z.boolean({ error: 'must be true or false' }).optional().meta({
      description:
        'If true, the member can’t sign in and all sessions of the member end. If false, the member can sign in again.',
    }),
  })
  .refine(({ role, disabled }) => role !== undefined || disabled !== undefined, {
    error: 'must name a role, or say whether the member is disabled',
  });

/**
 * Changes a member's role, or disables or enables the member. At least one active owner must remain. Withdraws open links created by the
 * member that grant more than the member may now, so that nobody regains access by such a link. Deletes review assignments of members who
 * can no longer decide.
 */
export async function changeMember(
  context: TimedContext,
  actor: Actor,
  memberId: string,
  input: unknown,
): Promise<Result<ChangedMember>> {
  const parsed = parseInput(memberChangeSchema, input);
  if (!parsed.ok) return parsed;
  const { role, disabled } = parsed.value;
  const now = context.now();
  return tryInTransaction(context.database, async (client): Promise<Result<ChangedMember>> => {
    await lockMembers(client);
    const before = await findMemberAccount(client, memberId);
    if (before === null) return noMember();
    if (disabled === true && memberId === actor.memberId)
      return fail('conflict', 'You can’t disable yourself. Ask another owner.', 'disabled');
    if (isOwnerLost(before, parsed.value) && (await countOwners(client)) === 1) {
      const message = `${before.name} is the last owner and must stay one. Make someone else an owner first.`;
      return fail('conflict', message, disabled === true ? 'disabled' : 'role');
    }
    const change = { actor, before, now };
    const revoked: RevokedCounts[] = [];
    if (role !== undefined && role !== before.role) revoked.push(await changeRole(client, { ...change, role }));
    if (disabled !== undefined && disabled !== (before.disabledAt !== null))
      revoked.push(await changeAccess(client, { ...change, disabled }));
    const after = await findMember(client, memberId, now);
    if (after === null) return noMember();
    return succeed({
      ...after,
      linksWithdrawn: revoked.reduce((sum, { linksWithdrawn }) => sum + linksWithdrawn, 0),
      assignmentsTaken: revoked.reduce((sum, { assignmentsTaken }) => sum + assignmentsTaken, 0),
    });
  });
}

/** Returns true if a change disables an active owner or gives them another role. */
function isOwnerLost({ role, disabledAt }: MemberAccount, change: z.output<typeof memberChangeSchema>): boolean {
  const isOwner = role === 'owner' && disabledAt === null;
  return isOwner && (change.disabled === true || (change.role ?? 'owner') !== 'owner');
}

/** Returns the error for an unknown member ID. */
function noMember(): Result<never> {
  return fail('not_found', 'There is no member with this id.');
}

type Change = { actor: Actor; before: MemberAccount; now: Date };
type RevokedCounts = Pick<ChangedMember, 'linksWithdrawn' | 'assignmentsTaken'>;

async function changeRole(
  client: Transaction,
  { actor, before, role, now }: Change & { role: Role },
): Promise<RevokedCounts> {
  await updateMember(client, before.id, { role }, now);
  const isLower = !roleAllows(role, before.role);
  const revoked: RevokedCounts = {
    linksWithdrawn: isLower ? await withdrawLinksMadeBy(client, { memberId: before.id, kept: role, now }) : 0,
    assignmentsTaken: roleAllows(role, 'reviewer') ? 0 : await deleteAssignmentsOf(client, before.id),
  };
  await recordChange(client, actor, {
    act: 'changed_role',
    subject: { kind: 'member', id: before.id, name: before.name },
    change: { before: before.role, after: role, ...omitZeroCounts(revoked) },
  });
  return revoked;
}

async function changeAccess(
  client: Transaction,
  { actor, before, disabled, now }: Change & { disabled: boolean },
): Promise<RevokedCounts> {
  await updateMember(client, before.id, { disabledAt: disabled ? now : null }, now);
  const sessionsEnded = disabled ? await deleteSessions(client, before.id) : 0;
  const linksWithdrawn = disabled ? await withdrawLinksMadeBy(client, { memberId: before.id, kept: null, now }) : 0;
  const revoked: RevokedCounts = { linksWithdrawn, assignmentsTaken: 0 };
  await recordChange(client, actor, {
    act: disabled ? 'disabled' : 'enabled',
    subject: { kind: 'member', id: before.id, name: before.name },
    change: disabled ? { sessionsEnded, ...omitZeroCounts(revoked) } : {},
  });
  return revoked;
}

/** Returns only the counts above zero, for the audit log. */
function omitZeroCounts(counts: RevokedCounts): Partial<RevokedCounts> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** Ends all sessions of a member, except the current one if it is the actor. Returns the number of ended sessions. */
export async function endMemberSessions(
  { database }: DatabaseContext,
  actor: Actor,
  memberId: string,
): Promise<Result<{ ended: number }>> {
  return tryInTransaction(database, async (client): Promise<Result<{ ended: number }>> => {
    const member = await findMemberAccount(client, memberId);
    if (member === null) return noMember();
    const isOwn = memberId === actor.memberId;
    const ended = await deleteSessions(client, memberId, isOwn ? (actor.sessionId ?? null) : null);
    if (ended > 0)
      await recordChange(client, actor, {
        act: 'revoked',
        subject: { kind: 'session', name: member.name },
        change: { sessionsEnded: ended },
      });
    return succeed({ ended });
  });
}
