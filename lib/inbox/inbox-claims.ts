import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import type { InboxClaim } from './inbox-item.ts';

/** Who looks at the inbox, and in which of their windows; null where that is not known. */
export type InboxHolder = { actorId: string; actorName: string; windowId: string | null; personId?: string };

/** How long a claim holds that is not renewed, in milliseconds. */
export const CLAIM_MS = 120_000;
/** What a window left behind that never came back is thrown away after this time. */
const SWEEP_AFTER_MS = 24 * 60 * 60_000;

/** One row a window: a new item takes the place of the one before, so nobody is on two, and nobody waits for anybody. */
const CLAIM = `
  WITH mine AS (
    INSERT INTO inbox_claims AS c (window_id, run_id, actor_id, actor_name, since, held_until)
    SELECT $2::uuid, r.id, $3, $4, $5::timestamptz, $6::timestamptz FROM runs r WHERE r.id = $1 AND r.status = 'waiting'
    ON CONFLICT (window_id) DO UPDATE SET run_id = EXCLUDED.run_id, actor_id = EXCLUDED.actor_id, actor_name = EXCLUDED.actor_name,
      held_until = EXCLUDED.held_until,
      since = CASE WHEN c.run_id = EXCLUDED.run_id AND c.actor_id = EXCLUDED.actor_id AND c.held_until > EXCLUDED.since
        THEN c.since ELSE EXCLUDED.since END
    RETURNING since),
  swept AS (
    DELETE FROM inbox_claims WHERE window_id IN (
      SELECT window_id FROM inbox_claims WHERE held_until < $7 AND window_id <> $2 FOR UPDATE SKIP LOCKED))
  SELECT mine.since AS mine, o.since AS other, o.window_id < $2::uuid AS "otherGoesFirst", o.actor_id AS "otherId", o.actor_name AS "otherName"
  FROM mine LEFT JOIN LATERAL (
    SELECT * FROM inbox_claims WHERE run_id = $1 AND window_id <> $2 AND held_until > $5 ORDER BY since, window_id LIMIT 1) o ON true`;

const claimRow = z.object({
  mine: z.date(),
  other: z.date().nullable(),
  otherGoesFirst: z.boolean().nullable(),
  otherId: z.string().nullable(),
  otherName: z.string().nullable(),
});

/**
 * Says that somebody is on a waiting run from now on, or still is; what they were on before in the same window is released. Answers
 * who came first of all who are on it; null where the run does not wait.
 */
export async function claimInboxItem(
  { pool }: Pick<Database, 'pool'>,
  runId: string,
  holder: InboxHolder & { windowId: string },
  now: Date,
): Promise<InboxClaim | null> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'claim-inbox-item',
    text: CLAIM,
    values: [
      runId,
      holder.windowId,
      holder.actorId,
      holder.actorName,
      now,
      new Date(now.getTime() + CLAIM_MS),
      new Date(now.getTime() - SWEEP_AFTER_MS),
    ],
  });
  if (rows[0] === undefined) return null;
  const { mine, other, otherGoesFirst, otherId, otherName } = claimRow.parse(rows[0]);
  if (other !== null && (other < mine || (other.getTime() === mine.getTime() && otherGoesFirst === true)))
    return {
      who: otherId === holder.actorId ? 'another_window' : 'another_person',
      name: otherName ?? '',
      since: other.toISOString(),
    };
  return { who: 'you', name: holder.actorName, since: mine.toISOString() };
}

/** Says that a window is no longer on a run; answers whether it was. */
export async function releaseInboxItem(
  { pool }: Pick<Database, 'pool'>,
  runId: string,
  holder: Pick<InboxHolder, 'actorId'> & { windowId: string },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    'DELETE FROM inbox_claims WHERE window_id = $1 AND run_id = $2 AND actor_id = $3',
    [holder.windowId, runId, holder.actorId],
  );
  return rowCount === 1;
}
