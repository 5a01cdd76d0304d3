import type pg from 'pg';
import type { Database } from './database.ts';

/** Runs `work` in one transaction: committed when it succeeds, rolled back when it answers a problem or throws. */
export async function tryInTransaction<Outcome extends { ok: boolean }>(
  database: Pick<Database, 'pool'>,
  work: (client: pg.PoolClient) => Promise<Outcome>,
): Promise<Outcome> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query(result.ok ? 'COMMIT' : 'ROLLBACK');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
