import type { Database } from '#lib/database/database.ts';
import { type TimeLeft, timeLeft } from '#lib/statistics/time-left.ts';

/** The pace is that of the newest runs: early ones may have been of easier cases, or had the machine for themselves. */
const NEWEST = 50;

/** Ends count from when the batch was started, or last resumed: nothing was under way between a stop and that. */
const PACE = `
  WITH leg AS (SELECT coalesce(resumed_at, created_at) AS since FROM batches WHERE id = $1),
  ends AS (
    SELECT r.finished_at FROM runs r, leg WHERE r.batch_id = $1 AND r.finished_at >= leg.since
    ORDER BY r.finished_at DESC LIMIT ${NEWEST + 1})
  SELECT count(*)::int AS ended, min(finished_at) AS first, (SELECT since FROM leg) AS since FROM ends`;

/** How long the `remaining` runs of a batch may still take; null where too few have ended to tell. */
export async function findTimeLeft(
  database: Database,
  batchId: string,
  remaining: number,
  now: Date,
): Promise<TimeLeft | null> {
  if (remaining === 0) return null;
  const { rows } = await database.pool.query<{ ended: number; first: Date | null; since: Date | null }>({
    name: 'find-pace',
    text: PACE,
    values: [batchId],
  });
  const { ended = 0, first = null, since = null } = rows[0] ?? {};
  if (first === null || since === null) return null;
  // Of more ends than count, the one before them is where their span begins.
  const isCut = ended > NEWEST;
  const from = isCut ? first : since;
  return timeLeft({ ended: isCut ? NEWEST : ended, spanMs: now.getTime() - from.getTime(), remaining });
}
