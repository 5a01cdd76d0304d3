import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { applyMigrations } from './apply-migrations.ts';

const { database, connectionString } = useTestDatabase();
const real = path.resolve('prisma/migrations');
const temporary = mkdtempSync(path.join(tmpdir(), 'hone-migrations-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** Creates a copy of the real migrations with one more. */
function migrationsWith(name: string, sql: string): string {
  const folder = mkdtempSync(path.join(temporary, 'set-'));
  cpSync(real, folder, { recursive: true });
  mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, name, 'migration.sql'), sql);
  return folder;
}

async function tableExists(name: string): Promise<boolean> {
  const { rows } = await database().pool.query('SELECT to_regclass($1) IS NOT NULL AS found', [name]);
  return rows[0].found;
}

test('applies nothing to an up-to-date database', async () => {
  expect(await applyMigrations(connectionString, real)).toMatchObject({ ok: true, value: { applied: [] } });
});

test('a failing migration leaves the database unchanged and is named in the error', async () => {
  const folder = migrationsWith('29990101000000_broken', 'CREATE TABLE half (id int); SELECT no_such_function();');
  const result = await applyMigrations(connectionString, folder);
  expect(result).toMatchObject({ ok: false, problem: { message: expect.stringContaining('29990101000000_broken') } });
  expect(await tableExists('half')).toBe(false);
});

test('applies a new migration once when several processes start concurrently', async () => {
  const folder = migrationsWith('29990102000000_more', 'CREATE TABLE more (id int);');
  const results = await Promise.all([1, 2, 3].map(() => applyMigrations(connectionString, folder)));
  const applied = results.flatMap((result) => (result.ok ? result.value.applied : ['refused']));
  expect(applied).toEqual(['29990102000000_more']);
  expect(await tableExists('more')).toBe(true);
});

test('vacuums and analyzes the tables that a migration rewrites', async () => {
  const folder = migrationsWith(
    '29990102500000_rewrite',
    '-- rewrites: rewritten\nCREATE TABLE rewritten AS SELECT generate_series(1, 1000) AS id;',
  );
  expect(await applyMigrations(connectionString, folder)).toMatchObject({ ok: true });
  const { rows } = await database().pool.query(
    `SELECT vacuum_count::int AS vacuums, analyze_count::int AS analyses FROM pg_stat_user_tables WHERE relname = 'rewritten'`,
  );
  expect(rows).toEqual([{ vacuums: 1, analyses: 1 }]);
});

test('refuses a migration that was changed after it was applied', async () => {
  const folder = migrationsWith('29990102000000_more', 'CREATE TABLE more (id bigint);');
  const result = await applyMigrations(connectionString, folder);
  expect(result).toMatchObject({
    ok: false,
    problem: { message: expect.stringMatching(/29990102000000_more was changed/) },
  });
});

test('accepts and reports a newer schema that only adds something', async () => {
  const result = await applyMigrations(connectionString, real);
  expect(result).toMatchObject({
    ok: true,
    value: { applied: [], unknown: ['29990102000000_more', '29990102500000_rewrite'] },
  });
});

test('refuses a newer schema that removes something', async () => {
  const folder = migrationsWith('29990103000000_contract_more', 'DROP TABLE IF EXISTS more_or_less;');
  cpSync(migrationsWith('29990102000000_more', 'CREATE TABLE more (id int);'), folder, { recursive: true });
  expect(await applyMigrations(connectionString, folder)).toMatchObject({ ok: true });
  const result = await applyMigrations(connectionString, real);
  expect(result).toMatchObject({
    ok: false,
    problem: { message: expect.stringMatching(/29990103000000_contract_more.*newer version/) },
  });
});
