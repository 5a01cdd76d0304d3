import type pg from 'pg';
import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';

const moment = z.date().transform((date) => date.toISOString());
const sessionRows = z.array(
  z
    .object({
      id: z.string(),
      ip_address: z.string().nullable(),
      user_agent: z.string().nullable(),
      created_at: moment,
      updated_at: moment,
      expires_at: moment,
    })
    .transform(({ id, ip_address, user_agent, created_at, updated_at, expires_at }) => ({
      id,
      address: ip_address === '' ? null : ip_address,
      userAgent: user_agent ?? '',
      createdAt: created_at,
      lastSeenAt: updated_at,
      expiresAt: expires_at,
    })),
);

/** The browsers in which a member is signed in, the one used last first. */
export async function listSessions({ pool }: Pick<Database, 'pool'>, memberId: string, now: Date) {
  const { rows } = await pool.query(
    `SELECT id, ip_address, user_agent, created_at, updated_at, expires_at FROM sessions
     WHERE member_id = $1 AND expires_at > $2 ORDER BY updated_at DESC, id LIMIT 100`,
    [memberId, now],
  );
  return sessionRows.parse(rows);
}

/** Ends one session of a member; false where they have no such session. */
export async function deleteSession(
  client: Pick<pg.Pool, 'query'>,
  { memberId, id }: { memberId: string; id: string },
): Promise<boolean> {
  return (await client.query('DELETE FROM sessions WHERE id = $1 AND member_id = $2', [id, memberId])).rowCount === 1;
}
