import type pg from 'pg';
import type { Database } from './database.ts';

/** Runs `work` on one connection in one transaction: committed when it answers, rolled back when it throws. */
export async function inTransaction<Value>(
  database: Pick<Database, 'pool'>,
  work: (client: pg.PoolClient) => Promise<Value>,
): Promise<Value> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    const value = await work(client);
    await client.query('COMMIT');
    return value;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
