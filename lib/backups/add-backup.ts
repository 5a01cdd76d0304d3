import { fail, type Result } from '#lib/core/problem.ts';
import { dropUnfinishedBackups, newBackupFile } from './backup-folder.ts';
import type { BackupReason } from './stored-backup.ts';
import { type BackupRequest, type WrittenBackup, writeBackup } from './write-backup.ts';

type Added = Omit<BackupRequest, 'file'> & { folder: string; reason: BackupReason };

/** Writes a backup into the folder of backups, under a name by its moment and reason; what killed processes left there goes first. */
export async function addBackup({ folder, reason, ...request }: Added): Promise<Result<WrittenBackup>> {
  try {
    dropUnfinishedBackups(folder, request.now);
    return await writeBackup({ ...request, file: newBackupFile(folder, request.now, reason) });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fail('unavailable', `No backup could be made in ${folder}: ${why}.`);
  }
}
