import { createReadStream } from 'node:fs';
import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Download } from '#lib/formats/download.ts';
import type { BackupContext } from './backup-context.ts';
import { findBackup } from './backup-folder.ts';

/** A backup as a file: all that the database holds, so its download is noted. */
export async function downloadBackup(
  { database }: Pick<AppContext, 'database'>,
  actor: Actor,
  { folder }: Pick<BackupContext, 'folder'>,
  name: string,
): Promise<Result<Download>> {
  const backup = findBackup(folder, name);
  if (backup === null) return fail('not_found', 'There is no backup of this name.');
  await recordChange(database.pool, actor, {
    act: 'exported',
    subject: { kind: 'backup', name: backup.name },
    change: { bytes: backup.bytes },
  });
  return succeed({ type: 'application/gzip', name: backup.name, chunks: chunksOf(backup.file) });
}

async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) yield chunk;
}
