import { randomUUID } from 'node:crypto';
import { findMemberAccount } from '#lib/auth/member-accounts.ts';
import { insertMemberLink, withdrawPasswordLinks } from '#lib/auth/member-links.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { tryInTransaction } from '#lib/database/try-in-transaction.ts';
import { type AuditActor, recordChange } from '../record-change.ts';
import type { MadeLink } from './invite-member.ts';
import { makeLinkToken } from './link-token.ts';
import { refuseNoOwner } from './refuse-no-owner.ts';

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
  return tryInTransaction(database, async (client) => {
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
