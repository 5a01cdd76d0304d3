import { statSync } from 'node:fs';
import { backupFolder, dropOldBackups, newBackupFile } from '#lib/backups/backup-folder.ts';
import { backupKey } from '#lib/backups/backup-manifest.ts';
import type { BackupReason } from '#lib/backups/schema.ts';
import { type WrittenBackup, writeBackup } from '#lib/backups/write-backup.ts';
import { productVersion } from '#lib/context/product-version.ts';
import type { Result } from '#lib/core/problem.ts';
import { readSecret } from './environment-files.ts';
import { type CommandContext, commandLinePath } from './run-command.ts';

/**
 * Writes the backup of a command to `target`, a file or folder. The default is the backup folder of the data directory. Backups before a
 * restore or an upgrade replace the oldest ones.
 */
export async function writeCommandBackup(
  { project, environment, dataFolder, ending: { signal } }: CommandContext,
  connectionString: string,
  reason: BackupReason,
  target?: string,
): Promise<Result<WrittenBackup>> {
  const folder = backupFolder(dataFolder);
  const now = new Date();
  const path = target === undefined ? folder : commandLinePath(target);
  const isFolder = target === undefined || statSync(path, { throwIfNoEntry: false })?.isDirectory();
  const file = isFolder ? newBackupFile(path, now, reason) : path;
  const version = productVersion(project);
  const key = backupKey(readSecret(dataFolder, environment.secret));
  const written = await writeBackup({ connectionString, file, version, key, now, signal });
  if (written.ok && reason !== 'asked') dropOldBackups(folder);
  return written;
}
