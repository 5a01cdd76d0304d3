import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dropOldBackups, dropUnfinishedBackups, findBackup, listBackups, newBackupFile } from './backup-folder.ts';

let parent = '';
let folder = '';
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'hone-backups-'));
  chmodSync(parent, 0o755);
  folder = path.join(parent, 'backups');
});
afterEach(() => rmSync(parent, { recursive: true }));

const day = (number: number) => new Date(Date.UTC(2026, 2, number, 4, 5, 6));

test('lists backups newest first with their reason; backups of the same second get different names', () => {
  for (const number of [1, 3, 3, 2]) writeFileSync(newBackupFile(folder, day(number), 'asked'), 'x'.repeat(number));
  writeFileSync(newBackupFile(folder, day(2), 'migration'), '');
  expect(listBackups(folder).map(({ name, reason, bytes, madeAt }) => [name, reason, bytes, madeAt])).toEqual([
    ['hone-2026-03-03T04-05-06Z.backup', 'asked', 3, '2026-03-03T04:05:06Z'],
    ['hone-2026-03-03T04-05-06Z-2.backup', 'asked', 3, '2026-03-03T04:05:06Z'],
    ['hone-2026-03-02T04-05-06Z.backup', 'asked', 2, '2026-03-02T04:05:06Z'],
    ['hone-2026-03-02T04-05-06Z-before-migration.backup', 'migration', 0, '2026-03-02T04:05:06Z'],
    ['hone-2026-03-01T04-05-06Z.backup', 'asked', 1, '2026-03-01T04:05:06Z'],
  ]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('keeps the last five automatic backups, and every manual or scheduled one', () => {
  for (let number = 1; number <= 8; number += 1) {
    writeFileSync(newBackupFile(folder, day(number), number % 2 === 0 ? 'migration' : 'restore'), '');
    writeFileSync(newBackupFile(folder, day(number), 'asked'), '');
    writeFileSync(newBackupFile(folder, day(number), 'scheduled'), '');
  }
  dropOldBackups(folder);
  const left = listBackups(folder);
  expect(left.filter(({ reason }) => reason === 'asked')).toHaveLength(8);
  expect(left.filter(({ reason }) => reason === 'scheduled')).toHaveLength(8);
  const before = left.filter(({ reason }) => reason !== 'asked' && reason !== 'scheduled');
  expect(before.map(({ madeAt }) => Number(madeAt.slice(8, 10)))).toEqual([8, 7, 6, 5, 4]);
});

test.each(['asked', 'scheduled', 'migration', 'restore', 'upgrade'] as const)(
  'file name contains the backup reason: %s',
  (reason) => {
    for (const copy of [1, 2]) writeFileSync(newBackupFile(folder, day(copy), reason), '');
    writeFileSync(newBackupFile(folder, day(2), reason), '');
    expect(listBackups(folder).map((backup) => backup.reason)).toEqual([reason, reason, reason]);
  },
);

test('deletes partial files of a killed process, but not a backup in progress', () => {
  const [left, written] = [newBackupFile(folder, day(1), 'asked'), newBackupFile(folder, day(2), 'asked')];
  for (const file of [left, written]) writeFileSync(`${file}.part`, '');
  utimesSync(`${left}.part`, day(2), day(2));
  utimesSync(`${written}.part`, day(3), day(3));
  dropUnfinishedBackups(folder, new Date(day(3).getTime() + 60_000));
  expect([existsSync(`${left}.part`), existsSync(`${written}.part`)]).toEqual([false, true]);
});

test.each([
  '../hone.lock',
  'hone-2026-03-01T04-05-06Z.backup/../../hone.lock',
  '..%2fhone.lock',
  'hone-2026-03-01T04-05-06Z.backup.part',
  'hone-2026-03-09T04-05-06Z.backup',
  '',
  '.',
  'hone-2026-03-01T04-05-06Z.backup\n',
])('%j is not a valid backup name', (name) => {
  writeFileSync(newBackupFile(folder, day(1), 'asked'), '');
  writeFileSync(path.join(parent, 'hone.lock'), '');
  expect(findBackup(folder, name)).toBeNull();
  expect(findBackup(folder, 'hone-2026-03-01T04-05-06Z.backup')).toMatchObject({ reason: 'asked' });
});
