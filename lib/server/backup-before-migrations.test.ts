import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupFolder, listBackups } from '#lib/backups/backup-folder.ts';
import { backupKey } from '#lib/backups/backup-manifest.ts';
import { inspectBackup } from '#lib/backups/inspect-backup.ts';
import { applyMigrations, readMigrations } from '#lib/database/apply-migrations.ts';
import { PRACTICE_WRITING, queuedRun, testContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { backupBeforeMigrations } from './backup-before-migrations.ts';

const db = useTestDatabase();
const folder = mkdtempSync(path.join(tmpdir(), 'hone-before-'));
const migrations = path.join(folder, 'migrations');
const dataFolder = path.join(folder, 'data');
const backups = () => listBackups(backupFolder(dataFolder));
const key = backupKey(Buffer.alloc(32));
let lines: string[] = [];

beforeAll(() => {
  cpSync('prisma/migrations', migrations, { recursive: true });
  mkdirSync(dataFolder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts with one additional migration, like a newer version. */
function start(migration: string, sql: string) {
  mkdirSync(path.join(migrations, migration));
  writeFileSync(path.join(migrations, migration, 'migration.sql'), sql);
  const { connectionString } = db;
  lines = [];
  const log = (line: string) => lines.push(line);
  const now = () => new Date();
  return applyMigrations(
    connectionString,
    migrations,
    backupBeforeMigrations({ connectionString, dataFolder, version: '1', key, now, log }),
  );
}

test('applies migrations without a backup if there are no runs', async () => {
  expect(await start('29990101000000_first', 'CREATE TABLE first_new (id int)')).toMatchObject({ ok: true });
  expect(backups()).toEqual([]);
});

test('backs up a database with runs before migrating it', async () => {
  await queuedRun(testContext(db.database()), PRACTICE_WRITING, { input: 'A note.' });
  const before = readMigrations(migrations).length;
  expect(await start('29990102000000_second', 'CREATE TABLE second_new (id int)')).toMatchObject({ ok: true });
  const [made] = backups();
  expect(made).toMatchObject({ reason: 'migration' });
  expect(lines.join('\n')).toContain(made?.name);
  const inspected = await inspectBackup(path.join(backupFolder(dataFolder), made?.name ?? ''), key);
  if (!inspected.ok) throw new Error(inspected.problem.message);
  const { manifest, signedBy } = inspected.value;
  expect(signedBy).toBe('own');
  expect(manifest.migrations).toHaveLength(before);
  expect(manifest.tables.map(({ name }) => name)).toContain('first_new');
  expect(manifest.tables.map(({ name }) => name)).not.toContain('second_new');
});

test('applies no migration if the backup fails, and reports why', async () => {
  rmSync(backupFolder(dataFolder), { recursive: true });
  writeFileSync(backupFolder(dataFolder), '');
  expect(await start('29990103000000_third', 'CREATE TABLE third_new (id int)')).toMatchObject({
    ok: false,
    problem: { message: expect.stringMatching(/backups.*No migration was applied/) },
  });
  const { rows } = await db.database().pool.query(`SELECT to_regclass('third_new') AS there`);
  expect(rows).toEqual([{ there: null }]);
});
