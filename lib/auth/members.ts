import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { DatabaseClient } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import type { Member } from './member-schema.ts';
import { ROLES, type Role } from './role.ts';

const roleSchema = z.enum(ROLES);

/** Lists all members, enabled ones first, each group from oldest to newest. */
export async function listMembers({ prisma }: DatabaseClient, now: Date): Promise<Member[]> {
  const members = await readMembers(prisma, {}, now);
  return [...members.filter(({ disabledAt }) => disabledAt === null), ...members.filter((one) => one.disabledAt)];
}

/** Returns a member by id, or null if there is none. */
export async function findMember(client: Transaction, id: string, now: Date): Promise<Member | null> {
  return (await readMembers(client, { id }, now))[0] ?? null;
}

async function readMembers(client: Transaction, where: Prisma.MemberWhereInput, now: Date): Promise<Member[]> {
  const holdingToken = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
  const members = await client.member.findMany({
    where,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: {
      _count: { select: { sessions: { where: { expiresAt: { gt: now } } }, tokens: { where: holdingToken } } },
    },
  });
  const ids = members.map(({ id }) => id);
  const seen = await client.session.groupBy({
    by: ['userId'],
    where: { userId: { in: ids } },
    _max: { updatedAt: true },
  });
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const acts = await client.auditEntry.groupBy({
    by: ['actorId', 'act'],
    where: { actorId: { in: ids }, act: { in: ['decided', 'reviewed'] }, outcome: 'done', at: { gte: month } },
    _count: true,
  });
  const owners = await countOwners(client);
  return members.map(({ id, name, email, role, createdAt, lastSeenAt, disabledAt, _count }) => {
    const times = (act: string) => acts.find((one) => one.actorId === id && one.act === act)?._count ?? 0;
    const sessionSeenAt = seen.find(({ userId }) => userId === id)?._max.updatedAt ?? null;
    const latest = lastSeenAt !== null && (sessionSeenAt === null || lastSeenAt > sessionSeenAt);
    return {
      ...{ id, name, email, role: roleSchema.parse(role), createdAt: createdAt.toISOString() },
      lastSeenAt: (latest ? lastSeenAt : sessionSeenAt)?.toISOString() ?? null,
      disabledAt: disabledAt?.toISOString() ?? null,
      isLastOwner: role === 'owner' && disabledAt === null && owners === 1,
      thisMonth: { decisions: times('decided'), reviews: times('reviewed') },
      ..._count,
    };
  });
}

/** Counts the owners who can sign in. */
export function countOwners(client: Transaction): Promise<number> {
  return client.member.count({ where: { role: 'owner', disabledAt: null } });
}

/** Lists the names of the enabled owners, sorted by name. Empty in local mode. */
export async function listOwnerNames({ prisma }: DatabaseClient): Promise<string[]> {
  const rows = await prisma.member.findMany({
    where: { role: 'owner', disabledAt: null },
    select: { name: true },
    orderBy: { name: 'asc' },
    take: 20,
  });
  return rows.map(({ name }) => name);
}

/** Updates a member's name, role or time of disabling (null enables them again). */
export async function updateMember(
  client: Transaction,
  id: string,
  change: { name?: string; role?: Role; disabledAt?: Date | null },
  now: Date,
): Promise<void> {
  await client.member.updateMany({ where: { id }, data: { ...change, updatedAt: now } });
}

export type MemberAccount = { id: string; name: string; email: string; role: Role; disabledAt: Date | null };

export function countMembers(client: Transaction): Promise<number> {
  return client.member.count();
}

/** Lists the names and email addresses of all members, to detect duplicates. `exceptId`: member to exclude. */
export function listTakenNames(
  client: Transaction,
  exceptId: string | null,
): Promise<{ name: string; email: string }[]> {
  const where = exceptId === null ? {} : { id: { not: exceptId } };
  return client.member.findMany({ where, select: { name: true, email: true } });
}

export function findMemberAccount(client: Transaction, id: string): Promise<MemberAccount | null> {
  return findAccount(client, { id });
}

/** `email`: in lower case, as stored. */
export function findMemberByEmail(client: Transaction, email: string): Promise<MemberAccount | null> {
  return findAccount(client, { email });
}

async function findAccount(
  client: Transaction,
  where: { id: string } | { email: string },
): Promise<MemberAccount | null> {
  const select = { id: true, name: true, email: true, role: true, disabledAt: true };
  const row = await client.member.findUnique({ where, select });
  return row && { ...row, role: roleSchema.parse(row.role) };
}

/** Creates a member with a password hash, in the format of the sign-in library. */
export async function insertMember(
  client: Transaction,
  member: { id: string; name: string; email: string; role: Role; passwordHash: string; now: Date },
): Promise<void> {
  const { passwordHash, now, ...row } = member;
  await client.member.create({ data: { ...row, createdAt: now, updatedAt: now } });
  await setPasswordHash(client, { memberId: row.id, passwordHash, now });
}

/** Sets or replaces a member's password. */
export async function setPasswordHash(
  client: Transaction,
  { memberId, passwordHash, now }: { memberId: string; passwordHash: string; now: Date },
): Promise<void> {
  const account = { providerId: 'credential', accountId: memberId };
  const change = { password: passwordHash, updatedAt: now };
  await client.credential.upsert({
    where: { providerId_accountId: account },
    create: { id: randomUUID(), ...account, userId: memberId, createdAt: now, ...change },
    update: change,
  });
}

/** Lists the sessions of a member, the last used first. */
export async function listSessions({ prisma }: DatabaseClient, memberId: string, now: Date) {
  const rows = await prisma.session.findMany({
    where: { userId: memberId, expiresAt: { gt: now } },
    orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
    take: 100,
  });
  return rows.map(({ id, ipAddress, userAgent, createdAt, updatedAt, expiresAt }) => ({
    id,
    address: ipAddress === '' ? null : ipAddress,
    userAgent: userAgent ?? '',
    createdAt: createdAt.toISOString(),
    lastSeenAt: updatedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
}

/** Ends a session. Returns false if it does not exist. With `memberId`, only if it belongs to that member. */
export async function deleteSession(
  client: Transaction,
  { memberId, id }: { memberId?: string; id: string },
): Promise<boolean> {
  const where = memberId === undefined ? { id } : { id, userId: memberId };
  return (await client.session.deleteMany({ where })).count === 1;
}

/** Ends all sessions of a member except `exceptId`, effective from the next request. Returns their number. */
export async function deleteSessions(
  client: Transaction,
  memberId: string,
  exceptId: string | null = null,
): Promise<number> {
  const where = exceptId === null ? { userId: memberId } : { userId: memberId, id: { not: exceptId } };
  return (await client.session.deleteMany({ where })).count;
}

/** Deletes expired sessions. */
export async function removeEndedSessions(client: Transaction, now: Date): Promise<void> {
  await client.session.deleteMany({ where: { expiresAt: { lt: now } } });
}

/** Records a member's last activity, at most once a minute. */
export async function recordMemberActivity(client: Transaction, memberId: string, now: Date): Promise<void> {
  const minuteAgo = new Date(now.getTime() - 60_000);
  await client.member.updateMany({
    where: { id: memberId, OR: [{ lastSeenAt: null }, { lastSeenAt: { lt: minuteAgo } }] },
    data: { lastSeenAt: now },
  });
}
