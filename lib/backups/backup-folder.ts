import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { type BackupReason, type StoredBackup, storedBackupSchema } from './schema.ts';

/** Maximum number of kept backups made before a migration, a restore or an upgrade. */
const KEPT_BEFORE = 5;
const NAME =
  /^hone-(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)-(\d\d)Z(?:-(scheduled|before-migration|before-restore|before-upgrade))?(?:-\d{1,3})?\.backup$/;

/** Suffix of the file name by reason, after the timestamp. */
const SUFFIXES: Record<BackupReason, string> = {
  asked: '',
  scheduled: '-scheduled',
  migration: '-before-migration',
  restore: '-before-restore',
  upgrade: '-before-upgrade',
};

/** Returns the backup folder of a data directory. The first backup creates it, without access for other users. */
export function backupFolder(dataFolder: string): string {
  return path.join(dataFolder, 'backups');
}

/** Returns an unused file name for a time and reason. Creates the folder if necessary. */
export function newBackupFile(folder: string, now: Date, reason: BackupReason): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const moment = now.toISOString().slice(0, 19).replaceAll(':', '-');
  const base = `hone-${moment}Z${SUFFIXES[reason]}`;
  for (let copy = 1; ; copy += 1) {
    const file = path.join(folder, `${base}${copy === 1 ? '' : `-${copy}`}.backup`);
    if (!existsSync(file) && !existsSync(`${file}.part`)) return file;
  }
}

/** Lists the backups in the folder, newest first. Empty if there is no folder. */
export function listBackups(folder: string): StoredBackup[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => readBackup(folder, name) ?? [])
    .sort((one, other) =>
      one.madeAt === other.madeAt ? order(other.name, one.name) : order(other.madeAt, one.madeAt),
    );
}

/** Returns a backup of the folder by name. Null for any other name, so no path can escape the folder. */
export function findBackup(folder: string, name: string): (StoredBackup & { file: string }) | null {
  const backup = readBackup(folder, name);
  return backup === null ? null : { ...backup, file: path.join(folder, name) };
}

/** Deletes the oldest backups made before a migration, a restore or an upgrade. Scheduled backups have a separate limit. */
export function dropOldBackups(folder: string): void {
  const before = listBackups(folder).filter(({ reason }) => reason !== 'asked' && reason !== 'scheduled');
  for (const { name } of before.slice(KEPT_BEFORE)) rmSync(path.join(folder, name), { force: true });
}

/** Deletes files left unfinished by killed processes. A running backup always writes within this time. */
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

export function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
