import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { inTransaction } from './transactions.ts';

const db = useTestDatabase();

test('a connection that breaks between two queries fails its transaction, and nothing else', async () => {
  const database = db.database();
  const broken = inTransaction(database, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    // Nothing is asked of the connection while the server says goodbye.
    await sleep(200);
    await client.query('SELECT 1');
  });
  await expect(broken).rejects.toThrow(/not queryable|terminated|closed/);
  expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
