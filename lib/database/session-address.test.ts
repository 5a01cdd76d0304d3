import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { withClient } from './connections.ts';
import { withDatabase } from './database.ts';
import { sessionAddress } from './session-address.ts';

const { database, connectionString } = useTestDatabase();

test('keeps the other parameters and joins the options of the address', () => {
  const address = sessionAddress(
    'postgresql://a:p%40b@h:5/d?sslmode=disable&options=-c%20search_path%3Dx&host=%2Ftmp',
    ['lock_timeout=5'],
  );
  expect(address).toMatch(/^postgresql:\/\/a:p%40b@h:5\/d\?sslmode=disable&host=%2Ftmp&options=/);
  const options = new URL(address).searchParams.get('options');
  expect(options).toMatch(/^-c search_path=x -c TimeZone=UTC .* -c lock_timeout=0 .*-c lock_timeout=5$/);
});

test('sessions do not inherit timeouts and formats of their role', async () => {
  const role = `strict_${randomUUID().slice(0, 8)}`;
  const { pool } = database();
  await pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'none'`);
  try {
    for (const setting of [
      "statement_timeout = '1ms'",
      "idle_session_timeout = '1s'",
      "idle_in_transaction_session_timeout = '2s'",
      "default_transaction_isolation = 'serializable'",
      "timezone = 'Asia/Kolkata'",
      "datestyle = 'SQL, DMY'",
    ])
      await pool.query(`ALTER ROLE ${role} SET ${setting}`);
    const address = new URL(connectionString);
    address.username = role;
    address.password = 'none';
    const text = `SELECT pg_sleep(0.05), current_setting('transaction_isolation') AS isolation, '2026-03-01 00:00Z'::timestamptz::text AS at,
      current_setting('idle_session_timeout') AS idle,
      current_setting('idle_in_transaction_session_timeout') AS "idleInTransaction"`;
    const expected = { isolation: 'read committed', at: '2026-03-01 00:00:00+00', idle: '0' };
    const read = (client: Pick<pg.Pool, 'query'>) => client.query(text).then(({ rows }) => rows[0]);
    expect(await withClient(address.href, read)).toMatchObject({ ...expected, idleInTransaction: '0' });
    const pooled = { ...expected, idleInTransaction: '30s' };
    expect(await withDatabase(address.href, ({ pool }) => read(pool))).toMatchObject(pooled);
  } finally {
    await pool.query(`DROP ROLE ${role}`);
  }
});
