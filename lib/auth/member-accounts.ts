import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { AuditConnection } from '#lib/audit/insert-audit.ts';
import { ROLES, type Role } from './role.ts';

/** A transaction of pg, or its pool. */
type Connection = Extract<AuditConnection, { query: unknown }>;

export type MemberAccount = { id: string; name: string; email: string; role: Role; disabledAt: Date | null };

/** Held to the end of the transaction by whoever makes, renames, disables or gives a role to a member: names stay unique, an owner stays. */
export async function lockMembers(client: Connection): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtext('hone members'))");
}

export async function countMembers(connection: Connection): Promise<number> {
  const { rows } = await connection.query<{ count: number }>('SELECT count(*)::int AS count FROM members');
  return rows[0]?.count ?? 0;
}

/** All members' names and e-mail addresses, to compare new ones with; `exceptId` leaves one out. */
export async function listTakenNames(
  connection: Connection,
  exceptId: string | null,
): Promise<{ name: string; email: string }[]> {
  const { rows } = await connection.query<{ name: string; email: string }>(
    'SELECT name, email FROM members WHERE id IS DISTINCT FROM $1',
    [exceptId],
  );
  return rows;
}

export async function findMemberAccount(connection: Connection, id: string): Promise<MemberAccount | null> {
  return firstAccount(connection, 'id', id);
}

/** `email`: in lower case, as all are stored. */
export async function findMemberByEmail(connection: Connection, email: string): Promise<MemberAccount | null> {
  return firstAccount(connection, 'email', email);
}

/** Makes a member with a password's hash, as the sign-in library stores both. */
export async function insertMember(
  client: Connection,
  member: { id: string; name: string; email: string; role: Role; passwordHash: string; now: Date },
): Promise<void> {
  const { id, name, email, role, passwordHash, now } = member;
  await client.query(
    'INSERT INTO members (id, name, email, role, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)',
    [id, name, email, role, now],
  );
  await setPasswordHash(client, { memberId: id, passwordHash, now });
}

/** Replaces a member's password, or gives them one. */
export async function setPasswordHash(
  client: Connection,
  { memberId, passwordHash, now }: { memberId: string; passwordHash: string; now: Date },
): Promise<void> {
  await client.query(
    `INSERT INTO credentials (id, account_id, provider_id, member_id, password, created_at, updated_at)
     VALUES ($1, $2, 'credential', $2, $3, $4, $4)
     ON CONFLICT (provider_id, account_id) DO UPDATE SET password = excluded.password, updated_at = excluded.updated_at`,
    [randomUUID(), memberId, passwordHash, now],
  );
}

/** Ends all sessions of a member, but `exceptId`; answers how many. */
export async function deleteSessions(
  connection: Connection,
  memberId: string,
  exceptId: string | null = null,
): Promise<number> {
  const { rowCount } = await connection.query('DELETE FROM sessions WHERE member_id = $1 AND id IS DISTINCT FROM $2', [
    memberId,
    exceptId,
  ]);
  return rowCount ?? 0;
}

/** Forgets sessions that have ended by themselves. */
export async function removeEndedSessions(connection: Connection, now: Date): Promise<void> {
  await connection.query('DELETE FROM sessions WHERE expires_at < $1', [now]);
}

/** Notes that a member was here, at most once a minute. */
export async function noteMemberSeen(connection: Connection, memberId: string, now: Date): Promise<void> {
  await connection.query(
    `UPDATE members SET last_seen_at = $2 WHERE id = $1 AND (last_seen_at IS NULL OR last_seen_at < $2::timestamptz - interval '1 minute')`,
    [memberId, now],
  );
}

async function firstAccount(
  connection: Connection,
  column: 'id' | 'email',
  value: string,
): Promise<MemberAccount | null> {
  const { rows } = await connection.query(
    `SELECT id, name, email, role, disabled_at AS "disabledAt" FROM members WHERE ${column} = $1`,
    [value],
  );
  return rows.length === 0 ? null : accountSchema.parse(rows[0]);
}

const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  disabledAt: z.date().nullable(),
});
