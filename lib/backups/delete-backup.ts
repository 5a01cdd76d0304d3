import { rmSync } from 'node:fs';
import { type AuditActor, recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { BackupContext } from './backup-context.ts';
import { findBackup } from './backup-folder.ts';
import type { StoredBackup } from './stored-backup.ts';

/** Deletes the file of a backup; answers what it was. */
export async function deleteBackup(
  { database }: Pick<AppContext, 'database'>,
  actor: AuditActor,
  { folder }: Pick<BackupContext, 'folder'>,
  name: string,
): Promise<Result<StoredBackup>> {
  const backup = findBackup(folder, name);
  if (backup === null) return fail('not_found', 'There is no backup of this name.');
  const { file, ...deleted } = backup;
  // Noted first: a kill in between leaves a file that can be deleted again, and no deletion that nobody knows of.
  await recordChange(database.pool, actor, {
    act: 'deleted',
    subject: { kind: 'backup', name: deleted.name },
    change: { bytes: deleted.bytes, madeAt: deleted.madeAt },
  });
  rmSync(file, { force: true });
  return succeed(deleted);
}
