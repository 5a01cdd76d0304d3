import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import type { AuditConnection } from '#lib/audit/insert-audit.ts';
import type { Database } from '#lib/database/database.ts';
import type { Member } from './member-schema.ts';
import { ROLES, type Role } from './role.ts';

const moment = z.date().transform((date) => date.toISOString());
const memberRows = z.array(
  z
    .object({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      role: z.enum(ROLES),
      created_at: moment,
      last_seen_at: moment.nullable(),
      disabled_at: moment.nullable(),
      is_last_owner: z.boolean(),
      decisions: z.int(),
      reviews: z.int(),
      sessions: z.int(),
      tokens: z.int(),
    })
    .transform(
      ({ created_at, last_seen_at, disabled_at, is_last_owner, decisions, reviews, ...member }): Member => ({
        ...member,
        createdAt: created_at,
        lastSeenAt: last_seen_at,
        disabledAt: disabled_at,
        isLastOwner: is_last_owner,
        thisMonth: { decisions, reviews },
      }),
    ),
);

const LIST = `
  SELECT m.id, m.name, m.email, m.role, m.created_at, m.disabled_at,
    greatest(m.last_seen_at, (SELECT max(s.updated_at) FROM sessions s WHERE s.member_id = m.id)) AS last_seen_at,
    m.role = 'owner' AND m.disabled_at IS NULL
      AND 1 = (SELECT count(*) FROM members o WHERE o.role = 'owner' AND o.disabled_at IS NULL) AS is_last_owner,
    (SELECT count(*)::int FROM audit_entries a WHERE a.actor_id = m.id AND a.act = 'decided' AND a.outcome = 'done' AND a.at >= $1) AS decisions,
    (SELECT count(*)::int FROM audit_entries a WHERE a.actor_id = m.id AND a.act = 'reviewed' AND a.outcome = 'done' AND a.at >= $1) AS reviews,
    (SELECT count(*)::int FROM sessions s WHERE s.member_id = m.id AND s.expires_at > $2) AS sessions,
    (SELECT count(*)::int FROM api_tokens t WHERE t.member_id = m.id AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)) AS tokens
  FROM members m WHERE $3::text IS NULL OR m.id = $3
  ORDER BY m.disabled_at IS NOT NULL, m.created_at, m.id`;

/** All members: those who can sign in first, the oldest before the newest. */
export async function listMembers({ pool }: Pick<Database, 'pool'>, now: Date): Promise<Member[]> {
  return readMembers(pool, null, now);
}

/** A member by their id; null where there is none. */
export async function findMember(
  { pool }: { pool: Pick<pg.Pool, 'query'> },
  id: string,
  now: Date,
): Promise<Member | null> {
  return (await readMembers(pool, id, now))[0] ?? null;
}

async function readMembers(pool: Pick<pg.Pool, 'query'>, id: string | null, now: Date): Promise<Member[]> {
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  return memberRows.parse((await pool.query(LIST, [month, now, id])).rows);
}

/** How many owners can sign in. */
export async function countOwners(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM members WHERE role = 'owner' AND disabled_at IS NULL",
  );
  return rows[0]?.count ?? 0;
}

export async function storeMemberRole(client: pg.PoolClient, id: string, role: Role, now: Date): Promise<void> {
  await client.query('UPDATE members SET role = $2, updated_at = $3 WHERE id = $1', [id, role, now]);
}

/** `disabledAt`: null lets them in again. */
export async function storeMemberDisabled(
  client: pg.PoolClient,
  id: string,
  disabledAt: Date | null,
  now: Date,
): Promise<void> {
  await client.query('UPDATE members SET disabled_at = $2, updated_at = $3 WHERE id = $1', [id, disabledAt, now]);
}

export async function storeMemberName(client: pg.PoolClient, id: string, name: string, now: Date): Promise<void> {
  await client.query('UPDATE members SET name = $2, updated_at = $3 WHERE id = $1', [id, name, now]);
}

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
