import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { type BackupReason, type StoredBackup, storedBackupSchema } from './schema.ts';

/** Of the backups before a migration, a restore or an upgrade so many are kept. */
const KEPT_BEFORE = 5;
const NAME =
  /^hone-(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)-(\d\d)Z(?:-(scheduled|before-migration|before-restore|before-upgrade))?(?:-\d{1,3})?\.backup$/;

/** What stands in the name of a file beside its moment. */
const SUFFIXES: Record<BackupReason, string> = {
  asked: '',
  scheduled: '-scheduled',
  migration: '-before-migration',
  restore: '-before-restore',
  upgrade: '-before-upgrade',
};

/** The folder of a data folder's backups; it is made by the first one, closed to others. */
export function backupFolder(dataFolder: string): string {
  return path.join(dataFolder, 'backups');
}

/** A name that is free in the folder, by the moment and the reason; the folder is there afterwards. */
export function newBackupFile(folder: string, now: Date, reason: BackupReason): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const moment = now.toISOString().slice(0, 19).replaceAll(':', '-');
  const base = `hone-${moment}Z${SUFFIXES[reason]}`;
  for (let copy = 1; ; copy += 1) {
    const file = path.join(folder, `${base}${copy === 1 ? '' : `-${copy}`}.backup`);
    if (!existsSync(file) && !existsSync(`${file}.part`)) return file;
  }
}

/** The backups in the folder, newest first; none where there is no folder. */
export function listBackups(folder: string): StoredBackup[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => readBackup(folder, name) ?? [])
    .sort((one, other) =>
      one.madeAt === other.madeAt ? order(other.name, one.name) : order(other.madeAt, one.madeAt),
    );
}

/** One of the folder by its name; null for any other name, wherever it leads. */
export function findBackup(folder: string, name: string): (StoredBackup & { file: string }) | null {
  const backup = readBackup(folder, name);
  return backup === null ? null : { ...backup, file: path.join(folder, name) };
}

/** Takes away the oldest of those made before a migration, a restore or an upgrade. Scheduled ones go by their own number. */
export function dropOldBackups(folder: string): void {
  const before = listBackups(folder).filter(({ reason }) => reason !== 'asked' && reason !== 'scheduled');
  for (const { name } of before.slice(KEPT_BEFORE)) rmSync(path.join(folder, name), { force: true });
}

/** Takes away what killed processes left unfinished: nobody writes on one for this long without adding to it. */
export function dropUnfinishedBackups(folder: string, now: Date): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.backup.part'))) {
    const file = path.join(folder, name);
    const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now.getTime();
    if (now.getTime() - changedAt > UNFINISHED_MS) rmSync(file, { force: true });
  }
}
const UNFINISHED_MS = 3_600_000;

function readBackup(folder: string, name: string): StoredBackup | null {
  const [, year, month, day, hour, minute, second, suffix] = NAME.exec(name) ?? [];
  if (year === undefined) return null;
  const stat = statSync(path.join(folder, name), { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return null;
  const madeAt = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
  return { name, reason: reasonOf(suffix), bytes: stat.size, madeAt };
}

function reasonOf(suffix: string | undefined): BackupReason {
  return storedBackupSchema.shape.reason.options.find((reason) => SUFFIXES[reason] === `-${suffix}`) ?? 'asked';
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
