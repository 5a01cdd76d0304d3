import type { Database } from '#lib/database/database.ts';

/**
 * How many failed tries are taken in a window, and how long none is taken then: `firstBlockMs` after the first too many, doubled at
 * each further one, up to `longestBlockMs`. At least two tries.
 */
export type TryLimit = { tries: number; windowMs: number; firstBlockMs: number; longestBlockMs: number };

/** Whether a try is taken; where it is not, when the next one will be. */
export type TakenTry = { taken: true } | { taken: false; until: Date };

/**
 * Takes one try under `key`, counted as failed until `forgetTries` or `forgiveTry` says otherwise, so that tries at the same moment can't
 * pass the limit together. One row lock over all processes; times are those of the caller.
 */
export async function takeTry(
  { pool }: Pick<Database, 'pool'>,
  { key, limit, now }: { key: string; limit: TryLimit; now: Date },
): Promise<TakenTry> {
  const { tries, windowMs, firstBlockMs, longestBlockMs } = limit;
  const { rowCount } = await pool.query(TAKE, [key, now, windowMs, tries, firstBlockMs, longestBlockMs]);
  if (rowCount === 1) return { taken: true };
  const { rows: blocked } = await pool.query<{ blocked_until: Date }>(
    'SELECT blocked_until FROM sign_in_limits WHERE key = $1 AND blocked_until > $2',
    [key, now],
  );
  const until = blocked[0]?.blocked_until;
  return until === undefined ? { taken: true } : { taken: false, until };
}

/** The try succeeded: all that failed under `key` is forgotten. */
export async function forgetTries({ pool }: Pick<Database, 'pool'>, key: string): Promise<void> {
  await pool.query('DELETE FROM sign_in_limits WHERE key = $1', [key]);
}

/** The try succeeded: it alone is taken back, what failed before it stays counted. */
export async function forgiveTry(
  { pool }: Pick<Database, 'pool'>,
  { key, limit }: { key: string; limit: TryLimit },
): Promise<void> {
  await pool.query(
    `UPDATE sign_in_limits SET failures = greatest(failures - 1, 0),
       blocked_until = CASE WHEN failures - 1 < $2 THEN NULL ELSE blocked_until END WHERE key = $1`,
    [key, limit.tries],
  );
}

/** Forgets what is older than a day. */
export async function removeOldTries({ pool }: Pick<Database, 'pool'>, now: Date): Promise<void> {
  await pool.query(
    `DELETE FROM sign_in_limits WHERE since < $1::timestamptz - interval '1 day'
       AND greatest(since, blocked_until) < $1::timestamptz - interval '1 day'`,
    [now],
  );
}

/** A window, or a block, that has been over for as long as a window. */
const IS_OVER = `greatest(kept.since, kept.blocked_until) < $2::timestamptz - make_interval(secs => $3 / 1000.0)`;
// No row comes back where the key is blocked.
const TAKE = `
  INSERT INTO sign_in_limits AS kept (key, failures, since) VALUES ($1, 1, $2)
  ON CONFLICT (key) DO UPDATE SET
    failures = CASE WHEN ${IS_OVER} THEN 1 ELSE kept.failures + 1 END,
    since = CASE WHEN ${IS_OVER} THEN $2 ELSE kept.since END,
    blocked_until = CASE WHEN ${IS_OVER} OR kept.failures + 1 < $4::int THEN NULL
      ELSE $2::timestamptz + make_interval(secs => least($6, $5 * power(2, least(kept.failures + 1 - $4::int, 20))) / 1000.0) END
  WHERE kept.blocked_until IS NULL OR kept.blocked_until <= $2
  RETURNING key`;
