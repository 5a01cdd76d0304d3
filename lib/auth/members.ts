import type pg from 'pg';
import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import type { Member } from './member.ts';
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
