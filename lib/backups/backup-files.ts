import { createReadStream, rmSync } from 'node:fs';
import type { Actor } from '#lib/auth/actor.ts';
import { type AuditActor, recordChange } from '#lib/auth/record-change.ts';
import type { DatabaseContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Download } from '#lib/formats/download.ts';
import type { BackupContext } from './backup-context.ts';
import { findBackup, listBackups } from './backup-folder.ts';
import type { Backups, StoredBackup } from './schema.ts';

/** Lists the existing backups, newest first, and the one in progress. */
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

/** Deletes a backup file and returns its description. */
export async function deleteBackup(
  { database }: DatabaseContext,
  actor: AuditActor,
  { folder }: Pick<BackupContext, 'folder'>,
  name: string,
): Promise<Result<StoredBackup>> {
  const backup = findBackup(folder, name);
  if (backup === null) return fail('not_found', 'There is no backup of this name.');
  const { file, ...deleted } = backup;
  // Recorded first: a crash in between leaves a file that can be deleted again, never an unrecorded deletion.
  await recordChange(database.prisma, actor, {
    act: 'deleted',
    subject: { kind: 'backup', name: deleted.name },
    change: { bytes: deleted.bytes, madeAt: deleted.madeAt },
  });
  rmSync(file, { force: true });
  return succeed(deleted);
}

/** Returns a backup as a file. It contains the whole database, so the download is recorded. */
export async function downloadBackup(
  { database }: DatabaseContext,
  actor: Actor,
  { folder }: Pick<BackupContext, 'folder'>,
  name: string,
): Promise<Result<Download>> {
  const backup = findBackup(folder, name);
  if (backup === null) return fail('not_found', 'There is no backup of this name.');
  await recordChange(database.prisma, actor, {
    act: 'exported',
    subject: { kind: 'backup', name: backup.name },
    change: { bytes: backup.bytes },
  });
  return succeed({ type: 'application/gzip', name: backup.name, chunks: chunksOf(backup.file) });
}

async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) yield chunk;
}
