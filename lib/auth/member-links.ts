import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { countAttemptOf, tooManyAttempts } from '#lib/auth/sign-in/sign-in-limits.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
import { lockMembers } from '#lib/database/locks.ts';
import { cleanText, withIsoTimes } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { INVITATION_PURPOSES, type Invitation, invitationSchema } from './member-schema.ts';
import { findMemberAccount } from './members.ts';
import type { AuditActor } from './record-change.ts';
import { ROLES, type Role, roleAllows } from './role.ts';

/** Purposes of a link: the first owner of an installation, a new member, or a member's new password. */
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
/** A single-use link without its token. `label`: its recipient. `memberId`: for a new password, its member. */
export type MemberLink = z.infer<typeof linkSchema>;

/** Filter for links that can still be used. */
function openAt(now: Date) {
  return { usedAt: null, withdrawnAt: null, expiresAt: { gt: now } };
}

/** Stores a link by the hexadecimal SHA-256 of its token. */
export async function insertMemberLink(
  client: Transaction,
  link: Omit<MemberLink, 'usedAt' | 'withdrawnAt'> & { hash: string },
): Promise<void> {
  await client.invitation.create({ data: { ...link, label: cleanText(link.label) } });
}

/** Lists the open invitations and password links, newest first. */
export async function listInvitations({ prisma }: DatabaseClient, now: Date): Promise<Invitation[]> {
  const rows = await prisma.invitation.findMany({
    where: { purpose: { in: [...INVITATION_PURPOSES] }, ...openAt(now) },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: 200,
  });
  return rows.map((row) => invitationSchema.parse(withIsoTimes(row)));
}

/** Returns the link with this hash if it can still be used, otherwise null. */
async function findOpenMemberLink(client: Transaction, hash: string, now: Date): Promise<MemberLink | null> {
  const row = await client.invitation.findUnique({ where: { hash, ...openAt(now) } });
  return row === null ? null : linkSchema.parse(row);
}

/** Marks a link as used. Atomic: returns false if it can no longer be used. */
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

/** Withdraws an open invitation or password link. Returns null if there is none. */
export async function withdrawMemberLink(client: Transaction, id: string, now: Date): Promise<MemberLink | null> {
  const [row] = await client.invitation.updateManyAndReturn({
    where: { id, purpose: { not: 'first_owner' }, ...openAt(now) },
    data: { withdrawnAt: now },
  });
  return row === undefined ? null : linkSchema.parse(row);
}

/** Withdraws a member's open password links, because only the latest one is valid. Returns their number. */
export async function withdrawPasswordLinks(client: Transaction, memberId: string, now: Date): Promise<number> {
  const { count } = await client.invitation.updateMany({
    where: { memberId, purpose: 'password', ...openAt(now) },
    data: { withdrawnAt: now },
  });
  return count;
}

/**
 * Withdraws a member's open links that grant more than their remaining role allows: invitations to a higher role, and password links unless
 * they remain an owner. Null `kept`: no role remains, so all are withdrawn. Returns their number.
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

/** Creates a token of 256 random bits. Returns its stored form (hexadecimal SHA-256) and the path that contains it. */
export function createLinkToken(): { hash: string; path: string } {
  const token = randomBytes(32).toString('base64url');
  return { hash: hashLinkToken(token) ?? '', path: `/join/${token}` };
}

/** Returns the stored form of a token, or null if it is malformed. */
function hashLinkToken(token: string): string | null {
  return FORM.test(token) ? createHash('sha256').update(token).digest('hex') : null;
}

/**
 * Returns the open link with this token without using it. Unknown, used, expired and withdrawn links get the same error. Repeated failures
 * from one address are rate limited.
 */
export async function findOpenLink(
  database: Database,
  token: unknown,
  { now, address }: { now: Date; address: string },
): Promise<Result<MemberLink>> {
  const hash = typeof token === 'string' ? hashLinkToken(token) : null;
  const link = hash === null ? null : await findOpenMemberLink(database.prisma, hash, now);
  if (link !== null) return succeed(link);
  const attempt = await countAttemptOf(database, 'links', address, now);
  if (!attempt.isAllowed) return tooManyAttempts(attempt.until, now);
  return fail(
    'not_found',
    'This link was already used, has expired or was withdrawn. Ask an owner for a new one. As long as there are no members, Hone prints a new link at each start.',
  );
}

/**
 * Returns an error if the member is no longer an owner, because the new link would be stored after the change that withdraws their links.
 * Otherwise returns null and locks the members until the commit. The operator of Hone, who is not a member, is always allowed.
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
