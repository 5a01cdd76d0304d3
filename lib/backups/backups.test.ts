import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import type { BackupContext } from './backup-context.ts';
import { deleteBackup, downloadBackup, listBackupFiles } from './backup-files.ts';
import { backupKey } from './backup-manifest.ts';
import { createBackup } from './create-backup.ts';

const db = useTestDatabase();
const folder = mkdtempSync(path.join(tmpdir(), 'hone-backups-'));
const backups: BackupContext = {
  folder: path.join(folder, 'backups'),
  connectionString: db.connectionString,
  version: '1',
  key: backupKey(Buffer.alloc(32)),
  state: { makingSince: null, failure: null },
  signal: new AbortController().signal,
};
afterAll(() => rmSync(folder, { recursive: true }));

test('creates one backup at a time, downloads and deletes it, and audits each action', async () => {
  const context = testContext(db.database());
  const making = createBackup(context, TESTER, backups);
  expect(await createBackup(context, TESTER, backups)).toMatchObject({
    ok: false,
    problem: { code: 'conflict', message: expect.stringMatching(/since \d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d UTC/) },
  });
  unwrap(await making);
  await expect.poll(() => backups.state.makingSince, { timeout: 30_000 }).toBeNull();
  const name = readName();
  const { chunks } = unwrap(await downloadBackup(context, TESTER, backups, name));
  const pieces: Uint8Array[] = [];
  for await (const piece of chunks) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(readFileSync(path.join(backups.folder, name)))).toBe(true);
  expect(unwrap(await deleteBackup(context, TESTER, backups, name))).toMatchObject({ name, reason: 'asked' });
  expect(await deleteBackup(context, TESTER, backups, name)).toMatchObject({ ok: false });
  const { rows } = await db
    .database()
    .pool.query("SELECT act, subject_name FROM audit_entries WHERE subject_kind = 'backup' ORDER BY id");
  expect(rows).toEqual(['created', 'exported', 'deleted'].map((act) => ({ act, subject_name: name })));
});

test('reports why a backup failed and allows the next one', async () => {
  const context = testContext(db.database());
  const broken = { ...backups, connectionString: `${db.connectionString.replace(/\/test_\w+/, '/there_is_none')}` };
  expect(await createBackup(context, TESTER, broken)).toMatchObject({ ok: false, problem: { code: 'unavailable' } });
  expect(backups.state).toMatchObject({
    makingSince: null,
    failure: { message: expect.stringContaining('there_is_none') },
  });
});

function readName(): string {
  const name = listBackupFiles(backups).items[0]?.name;
  if (name === undefined) throw new Error('no backup was made');
  return name;
}
