import type { Database } from './database.ts';

/** Numbers of the locks that work is done under, one process at a time. */
export const WORK_LOCKS = { samples: 72_707_371, sweep: 72_707_372 } as const;

/** Does `work` while no other process on the database does work under the same lock; the others wait for it. */
export async function runExclusively<Value>(
  { pool }: Pick<Database, 'pool'>,
  lock: keyof typeof WORK_LOCKS,
  work: () => Promise<Value>,
): Promise<Value> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('SELECT pg_advisory_lock($1)', [WORK_LOCKS[lock]]);
    const value = await work();
    await client.query('SELECT pg_advisory_unlock($1)', [WORK_LOCKS[lock]]);
    isBroken = false;
    return value;
  } finally {
    // A connection that may still hold the lock is closed, which lets go of it.
    client.release(isBroken);
  }
}
