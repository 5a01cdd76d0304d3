import type { BackupContext } from './backup-context.ts';
import { listBackups } from './backup-folder.ts';
import type { Backups } from './stored-backup.ts';

/** The backups that are there, newest first, and the one that is being made. */
export function listBackupFiles({
  folder,
  state: { makingSince, failure },
}: Pick<BackupContext, 'folder' | 'state'>): Backups {
  return {
    items: listBackups(folder),
    folder,
    makingSince: makingSince?.toISOString() ?? null,
    failure: failure === null ? null : { at: failure.at.toISOString(), message: failure.message },
  };
}
