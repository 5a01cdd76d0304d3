import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { checkDatabase, withClient } from './connections.ts';
import { withDatabase } from './database.ts';

const { database, connectionString } = useTestDatabase();

test('returns the version of a usable database', async () => {
  expect(await checkDatabase(connectionString)).toEqual({
    ok: true,
    value: {
      version: expect.stringMatching(/^\d+\.\d+/),
      warning: null,
      connectionString: expect.stringContaining(connectionString),
    },
  });
});

/** Runs `work` with a new role, quoted for SQL, and its address. */
async function withRole(work: (role: string, address: string) => Promise<void>): Promise<void> {
  const role = `"may make ${randomUUID()}"`;
  await database().pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'none'`);
  try {
    const address = new URL(connectionString);
    address.username = role.slice(1, -1);
    address.password = 'none';
    await work(role, address.href);
  } finally {
    await database().pool.query(`REVOKE ALL ON SCHEMA public FROM ${role}`);
    await database().pool.query(`DROP ROLE ${role}`);
  }
}

const refusal = (text: string) => ({ ok: false, problem: { message: expect.stringContaining(text) } });

test('names the missing grant of a user who cannot create tables', () =>
  withRole(async (role, address) => {
    const refused = await checkDatabase(address);
    expect(refused).toMatchObject(refusal('can’t create tables'));
    expect(refused).toMatchObject(refusal(`public TO ${role}, or`));
    await database().pool.query(`GRANT CREATE, USAGE ON SCHEMA public TO ${role}`);
    expect(await checkDatabase(address)).toMatchObject({ ok: true });
  }));

test('rejects a database that is read-only for the user, and warns about a low limit of connections', () =>
  withRole(async (role, address) => {
    await database().pool.query(`GRANT CREATE, USAGE ON SCHEMA public TO ${role}`);
    await database().pool.query(`ALTER ROLE ${role} CONNECTION LIMIT 8`);
    const warning = expect.stringMatching(/^only 8 connections are allowed, .* Raise the limit/);
    expect(await checkDatabase(address)).toMatchObject({ ok: true, value: { warning } });
    await database().pool.query(`ALTER ROLE ${role} SET default_transaction_read_only = on`);
    expect(await checkDatabase(address)).toMatchObject(refusal('is read-only for the user'));
  }));

test('accepts a read-only database without permission to create tables for reading', () =>
  withRole(async (role, address) => {
    await database().pool.query(`ALTER ROLE ${role} SET default_transaction_read_only = on`);
    expect(await checkDatabase(address, { onlyRead: true })).toMatchObject({ ok: true });
  }));

test('returns an address whose sessions ignore the transaction timeout of the role', () =>
  withRole(async (role, address) => {
    await database().pool.query(`GRANT CREATE, USAGE ON SCHEMA public TO ${role}`);
    await database().pool.query(`ALTER ROLE ${role} SET transaction_timeout = '1s'`);
    const checked = await checkDatabase(address);
    const used = checked.ok ? checked.value.connectionString : '';
    const show = (client: Pick<pg.Client, 'query'>) =>
      client.query('SHOW transaction_timeout').then(({ rows }) => rows);
    expect(await withClient(used, show)).toEqual([{ transaction_timeout: '0' }]);
    expect(await withDatabase(used, ({ pool }) => pool.query('SHOW transaction_timeout'))).toMatchObject({
      rows: [{ transaction_timeout: '0' }],
    });
  }));

test('names the required version if the server does not know a setting, as old versions do', async () => {
  const address = new URL(connectionString);
  address.searchParams.set('options', '-c no_such_setting=1');
  const refused = await checkDatabase(address.href);
  expect(refused).toMatchObject(refusal('"no_such_setting"'));
  expect(refused).toMatchObject(refusal('PostgreSQL 15 or newer'));
});

test.each([
  ['an unreachable server', 'postgresql://hone@127.0.0.1:1/hone', 'ECONNREFUSED'],
  ['missing certificates', 'postgresql://hone@127.0.0.1:1/hone?sslrootcert=/nowhere/at-all.pem', 'ENOENT'],
])('reports the reason and a remedy for %s', async (_case, address, reason) => {
  const refused = await checkDatabase(address);
  expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining(reason) } });
  expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining('fix or unset') } });
});
