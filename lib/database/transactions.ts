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
