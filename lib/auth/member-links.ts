import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { takeTryOf, tooManyTries } from '#lib/auth/sign-in/sign-in-limits.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { lockMembers } from '#lib/database/locks.ts';
import { cleanText } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { INVITATION_PURPOSES, type Invitation } from './member-schema.ts';
import { findMemberAccount } from './members.ts';
import type { AuditActor } from './record-change.ts';
import { ROLES, type Role, roleAllows } from './role.ts';

/** What a link is for: the first owner of an installation, a new member, a new password of a member. */
const LINK_PURPOSES = ['first_owner', 'member', 'password'] as const;

const linkSchema = z.object({
  id: z.string(),
  purpose: z.enum(LINK_PURPOSES),
  role: z.enum(ROLES),
  label: z.string(),
  memberId: z.string().nullable(),
  createdBy: z.string(),
  createdById: z.string(),
  createdAt: z.date(),
  expiresAt: z.date(),
  usedAt: z.date().nullable(),
  withdrawnAt: z.date().nullable(),
});
/** A link that lets somebody in once, without its token. `label`: whom it is for; `memberId`: of a new password, whose. */
export type MemberLink = z.infer<typeof linkSchema>;

/** Links that can still be used. */
function openAt(now: Date) {
  return { usedAt: null, withdrawnAt: null, expiresAt: { gt: now } };
}

/** Keeps a link by the SHA-256 of its token, in hexadecimal. */
export async function insertMemberLink(
  client: Transaction,
  link: Omit<MemberLink, 'usedAt' | 'withdrawnAt'> & { hash: string },
): Promise<void> {
  await client.invitation.create({ data: { ...link, label: cleanText(link.label) } });
}

/** Invitations and links for new passwords that still hold, the newest first. */
export async function listInvitations({ prisma }: Pick<Database, 'prisma'>, now: Date): Promise<Invitation[]> {
  const rows = await prisma.invitation.findMany({
    where: { purpose: { in: [...INVITATION_PURPOSES] }, ...openAt(now) },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: 200,
  });
  return rows.map(({ id, purpose, label, role, memberId, createdBy, createdAt, expiresAt }) => ({
    ...{ id, label, memberId, createdBy },
    purpose: z.enum(INVITATION_PURPOSES).parse(purpose),
    role: z.enum(ROLES).parse(role),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
}

/** The link with this hash, where it can still be used; null where not. */
async function findOpenMemberLink(client: Transaction, hash: string, now: Date): Promise<MemberLink | null> {
  const row = await client.invitation.findUnique({ where: { hash, ...openAt(now) } });
  return row === null ? null : linkSchema.parse(row);
}

/** Uses a link up, by one asker alone; false where it can't be used any more. */
export async function redeemMemberLink(
  client: Transaction,
  { id, usedById, now }: { id: string; usedById: string; now: Date },
): Promise<boolean> {
  const { count } = await client.invitation.updateMany({
    where: { id, ...openAt(now) },
    data: { usedAt: now, usedById },
  });
  return count === 1;
}

/** Withdraws an invitation, or a link for a new password, that is still open; null where there is none. */
export async function withdrawMemberLink(client: Transaction, id: string, now: Date): Promise<MemberLink | null> {
  const [row] = await client.invitation.updateManyAndReturn({
    where: { id, purpose: { not: 'first_owner' }, ...openAt(now) },
    data: { withdrawnAt: now },
  });
  return row === undefined ? null : linkSchema.parse(row);
}

/** Withdraws the open links for a new password of a member, of which only the latest one holds; answers how many. */
export async function withdrawPasswordLinks(client: Transaction, memberId: string, now: Date): Promise<number> {
  const { count } = await client.invitation.updateMany({
    where: { memberId, purpose: 'password', ...openAt(now) },
    data: { withdrawnAt: now },
  });
  return count;
}

/**
 * Withdraws the open links that a member made and that give more than they may give with the role they keep: invitations to a higher one,
 * and links for a new password unless they stay owner. `kept` null: they keep none, and all are withdrawn. Answers how many.
 */
export async function withdrawLinksMadeBy(
  client: Transaction,
  { memberId, kept, now }: { memberId: string; kept: Role | null; now: Date },
): Promise<number> {
  const isHigher = { role: { notIn: ROLES.filter((role) => kept !== null && roleAllows(kept, role)) } };
  const { count } = await client.invitation.updateMany({
    where: {
      ...{ createdById: memberId, ...openAt(now) },
      ...(kept !== 'owner' ? { OR: [isHigher, { purpose: 'password' }] } : isHigher),
    },
    data: { withdrawnAt: now },
  });
  return count;
}

const FORM = /^[A-Za-z0-9_-]{43}$/;

/** A new token of 256 random bits, what is kept of it (SHA-256 in hexadecimal), and the path that it stands in. */
export function makeLinkToken(): { hash: string; path: string } {
  const token = randomBytes(32).toString('base64url');
  return { hash: hashLinkToken(token) ?? '', path: `/join/${token}` };
}

/** What is kept of a token; null where it has not the form of one. */
function hashLinkToken(token: string): string | null {
  return FORM.test(token) ? createHash('sha256').update(token).digest('hex') : null;
}

/**
 * The link whose token somebody holds, while it can be used; looking does not use it up. One that was never made, was used, has ended or
 * was withdrawn is answered in the same words; who tries many from one address is told to wait.
 */
export async function findOpenLink(
  database: Database,
  token: unknown,
  { now, address }: { now: Date; address: string },
): Promise<Result<MemberLink>> {
  const hash = typeof token === 'string' ? hashLinkToken(token) : null;
  const link = hash === null ? null : await findOpenMemberLink(database.prisma, hash, now);
  if (link !== null) return succeed(link);
  const taken = await takeTryOf(database, 'links', address, now);
  if (!taken.taken) return tooManyTries(taken.until, now);
  return fail(
    'not_found',
    'This link was already used, has expired or was withdrawn. Ask an owner for a new one. As long as there are no members, Hone prints a new link at each start.',
  );
}

/**
 * Refuses a link to a member who stopped being an owner since they were let in to make it: it would be stored after the change that
 * withdraws their links. Null: they may, to the end of the transaction; so may whoever runs Hone, who is no member.
 */
export async function refuseNoOwner(
  client: Transaction,
  { memberId }: Pick<AuditActor, 'memberId'>,
): Promise<Result<never> | null> {
  if (memberId === undefined) return null;
  await lockMembers(client);
  const maker = await findMemberAccount(client, memberId);
  return maker?.role === 'owner' && maker.disabledAt === null
    ? null
    : fail('forbidden', 'You are no longer an owner. Only owners can create links.');
}
