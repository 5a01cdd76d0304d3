import type { Database } from './database.ts';

/** Does `work` while no other process on the database does what has the same lock; null, and nothing done, where one does. */
export async function tryLock<Value>(
  { pool }: Pick<Database, 'pool'>,
  lock: number,
  work: () => Promise<Value>,
): Promise<Value | null> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [lock]);
    if (rows[0]?.taken !== true) return null;
    try {
      return await work();
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [lock]).catch((error: unknown) => {
        broken = error instanceof Error ? error : new Error(String(error));
      });
    }
  } finally {
    // A connection that could not let go of the lock is not used again.
    client.release(broken);
  }
}
