import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { choiceOf } from '#lib/core/setting-parts.ts';
import { visibleName } from '#lib/core/visible-name.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { tryInTransaction } from '#lib/database/transactions.ts';
import type { Actor } from './actor.ts';
import {
  createLinkToken,
  insertMemberLink,
  refuseNoOwner,
  withdrawMemberLink,
  withdrawPasswordLinks,
} from './member-links.ts';
import { countMembers, findMemberAccount } from './members.ts';
import { type AuditActor, recordChange } from './record-change.ts';
import { ROLES } from './role.ts';

const INVITATION_DAYS = 7;

/** A new link. `path` contains its token and is available only once. `expiresAt` is ISO 8601. */
export type CreatedLink = { id: string; path: string; expiresAt: string };

/** Input for an invitation. `label`: its recipient, 1 to 80 characters, for the list of open ones. */
export const invitationInput = z.strictObject({
  role: choiceOf(ROLES),
  label: z
    .string({ error: 'must be a text' })
    .transform((text) => visibleName(cleanText(text)).trim())
    .pipe(
      z
        .string()
        .min(1, { error: 'must say whom the invitation is for' })
        .max(80, { error: 'must be at most 80 characters' }),
    ),
});

/** Creates a single-use invitation for a member with a role, valid for seven days. Only for owners. */
export async function inviteMember(
  database: DatabaseClient,
  actor: Actor,
  input: unknown,
  now: Date,
): Promise<Result<CreatedLink>> {
  const parsed = invitationInput.safeParse(input);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fail('invalid', issue?.message ?? 'must be an object', issue?.path.join('.') || null);
  }
  const { role, label } = parsed.data;
  const { hash, path } = createLinkToken();
  const id = randomUUID();
  const expiresAt = new Date(now.getTime() + INVITATION_DAYS * 24 * 60 * 60 * 1000);
  return tryInTransaction(database, async (transaction) => {
    const refused = await refuseNoOwner(transaction, actor);
    if (refused !== null) return refused;
    await insertMemberLink(transaction, {
      ...{ id, purpose: 'member', hash, role, label, memberId: null, expiresAt },
      ...{ createdBy: actor.name, createdById: actor.memberId ?? actor.id, createdAt: now },
    });
    await recordChange(transaction, actor, {
      act: 'invited',
      subject: { kind: 'invitation', id, name: label },
      change: { role },
    });
    return succeed({ id, path, expiresAt: expiresAt.toISOString() });
  });
}

/** Withdraws an open invitation or password link. `id`: UUID of the link. */
export async function withdrawInvitation(
  database: DatabaseClient,
  actor: Actor,
  id: string,
  now: Date,
): Promise<Result<{ id: string }>> {
  return tryInTransaction(database, async (transaction) => {
    const link = await withdrawMemberLink(transaction, id, now);
    if (link === null)
      return fail('not_found', 'There is no open invitation with this id: it was used, has ended or was withdrawn.');
    await recordChange(transaction, actor, {
      act: 'withdrew',
      subject: { kind: 'invitation', id, name: link.label },
      change: { purpose: link.purpose, role: link.role },
    });
    return succeed({ id });
  });
}

export const PASSWORD_LINK_HOURS = 24;

/**
 * Creates a single-use link for a member's new password, valid for one day. Only for owners and the operator of Hone. The previous link
 * becomes invalid.
 */
export async function createPasswordLink(
  database: DatabaseClient,
  actor: AuditActor,
  memberId: string,
  now: Date,
): Promise<Result<CreatedLink>> {
  const { hash, path } = createLinkToken();
  const id = randomUUID();
  const expiresAt = new Date(now.getTime() + PASSWORD_LINK_HOURS * 60 * 60 * 1000);
  return tryInTransaction(database, async (transaction) => {
    const refused = await refuseNoOwner(transaction, actor);
    if (refused !== null) return refused;
    const member = await findMemberAccount(transaction, memberId);
    if (member === null) return fail('not_found', 'There is no member with this id.');
    if (member.disabledAt !== null)
      return fail('conflict', `${member.name} is disabled. Enable them first: a new password would not let them in.`);
    await withdrawPasswordLinks(transaction, memberId, now);
    await insertMemberLink(transaction, {
      ...{ id, purpose: 'password', hash, role: member.role, label: member.name, memberId, expiresAt },
      ...{ createdBy: actor.name, createdById: actor.memberId ?? actor.id, createdAt: now },
    });
    await recordChange(transaction, actor, {
      act: 'made_password_link',
      subject: { kind: 'member', id: memberId, name: member.name },
    });
    return succeed({ id, path, expiresAt: expiresAt.toISOString() });
  });
}

export const FIRST_OWNER_HOURS = 24;

/**
 * Returns the path of a link that creates the first owner, printed at startup. Null if there are members. Several processes may each create
 * one. Using one invalidates all.
 */
export async function createFirstOwnerLink({ prisma }: DatabaseClient, now: Date): Promise<string | null> {
  if ((await countMembers(prisma)) > 0) return null;
  const { hash, path } = createLinkToken();
  await insertMemberLink(prisma, {
    ...{ id: randomUUID(), purpose: 'first_owner', hash, role: 'owner', label: 'the first owner', memberId: null },
    ...{ createdBy: 'the start', createdById: 'system', createdAt: now },
    expiresAt: new Date(now.getTime() + FIRST_OWNER_HOURS * 60 * 60 * 1000),
  });
  return path;
}
