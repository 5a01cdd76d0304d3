import { expect, test } from 'vitest';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { checkDatabase } from './connections.ts';

const { database, connectionString } = useTestDatabase();

test('returns the version of a usable database', async () => {
  expect(await checkDatabase(connectionString)).toEqual({ ok: true, value: expect.stringMatching(/^\d+\.\d+/) });
});

test('names the missing grant of a user who cannot create tables', async () => {
  const role = `"may make ${Date.now()}"`;
  await database().pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'none'`);
  try {
    const address = new URL(connectionString);
    address.username = role.slice(1, -1);
    address.password = 'none';
    const refused = await checkDatabase(address.href);
    expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining('can’t create tables') } });
    expect(refused).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining(`public TO ${role}, or`) },
    });
    await database().pool.query(`GRANT CREATE, USAGE ON SCHEMA public TO ${role}`);
    expect(await checkDatabase(address.href)).toMatchObject({ ok: true });
  } finally {
    await database().pool.query(`REVOKE ALL ON SCHEMA public FROM ${role}`);
    await database().pool.query(`DROP ROLE ${role}`);
  }
});

test.each([
  ['an unreachable server', 'postgresql://hone@127.0.0.1:1/hone', 'ECONNREFUSED'],
  ['missing certificates', 'postgresql://hone@127.0.0.1:1/hone?sslrootcert=/nowhere/at-all.pem', 'ENOENT'],
])('reports the reason and a remedy for %s', async (_case, address, reason) => {
  const refused = await checkDatabase(address);
  expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining(reason) } });
  expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining('fix or unset') } });
});
