import { randomUUID } from 'node:crypto';
import { insertMemberLink, withdrawPasswordLinks } from '#lib/auth/member-links.ts';
import { countMembers, findMemberAccount } from '#lib/auth/members.ts';
import { type AuditActor, recordChange } from '#lib/auth/record-change.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { tryInPoolTransaction } from '#lib/database/transactions.ts';
import type { MadeLink } from './invite-member.ts';
import { makeLinkToken, refuseNoOwner } from './member-link.ts';

export const PASSWORD_LINK_HOURS = 24;

/** Makes a link by which a member sets a new password: once, within a day. An owner asks for it, or whoever runs Hone; the one before holds no more. */
export async function makePasswordLink(
  database: Pick<Database, 'pool'>,
  actor: AuditActor,
  memberId: string,
  now: Date,
): Promise<Result<MadeLink>> {
  const { hash, path } = makeLinkToken();
  const id = randomUUID();
  const expiresAt = new Date(now.getTime() + PASSWORD_LINK_HOURS * 60 * 60 * 1000);
  return tryInPoolTransaction(database, async (client) => {
    const refused = await refuseNoOwner(client, actor);
    if (refused !== null) return refused;
    const member = await findMemberAccount(client, memberId);
    if (member === null) return fail('not_found', 'There is no member with this id.');
    if (member.disabledAt !== null)
      return fail('conflict', `${member.name} is disabled. Enable them first: a new password would not let them in.`);
    await withdrawPasswordLinks(client, memberId, now);
    await insertMemberLink(client, {
      ...{ id, purpose: 'password', hash, role: member.role, label: member.name, memberId, expiresAt },
      ...{ createdBy: actor.name, createdById: actor.memberId ?? actor.id, createdAt: now },
    });
    await recordChange(client, actor, {
      act: 'made_password_link',
      subject: { kind: 'member', id: memberId, name: member.name },
    });
    return succeed({ id, path, expiresAt: expiresAt.toISOString() });
  });
}

export const FIRST_OWNER_HOURS = 24;

/**
 * The path of a link by which somebody becomes the first owner, for whoever sees what the start prints; null where there are members.
 * Several processes may each make one: the first that is used ends them all.
 */
export async function makeFirstOwnerLink({ pool }: Pick<Database, 'pool'>, now: Date): Promise<string | null> {
  if ((await countMembers(pool)) > 0) return null;
  const { hash, path } = makeLinkToken();
  await insertMemberLink(pool, {
    ...{ id: randomUUID(), purpose: 'first_owner', hash, role: 'owner', label: 'the first owner', memberId: null },
    ...{ createdBy: 'the start', createdById: 'system', createdAt: now },
    expiresAt: new Date(now.getTime() + FIRST_OWNER_HOURS * 60 * 60 * 1000),
  });
  return path;
}
