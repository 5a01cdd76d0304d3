import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { formatMoment } from '#lib/format.ts';
import type { BackupContext } from './backup-context.ts';
import { listBackupFiles } from './backup-files.ts';
import { dropUnfinishedBackups, newBackupFile } from './backup-folder.ts';
import { countRows } from './backup-manifest.ts';
import type { BackupReason, Backups } from './schema.ts';
import { type BackupRequest, type WrittenBackup, writeBackup } from './write-backup.ts';

type Added = Omit<BackupRequest, 'file'> & { folder: string; reason: BackupReason };

/** Writes a backup into the backup folder, named by time and reason. First deletes files left unfinished by killed processes. */
export async function addBackup({ folder, reason, ...request }: Added): Promise<Result<WrittenBackup>> {
  try {
    dropUnfinishedBackups(folder, request.now);
    return await writeBackup({ ...request, file: newBackupFile(folder, request.now, reason) });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fail('unavailable', `The backup could not be created in ${folder}: ${why}.`);
  }
}

/** Maximum time the caller waits for the backup, in milliseconds. A longer backup continues in the background. */
const WAIT_MS = 2_000;

/** Backs up the whole database without interrupting other work. Returns the state: complete, or in progress if it takes long. */
export async function createBackup(
  context: Pick<AppContext, 'database' | 'now'>,
  actor: Actor,
  backups: BackupContext,
): Promise<Result<Backups>> {
  const { state } = backups;
  if (state.makingSince !== null)
    return fail(
      'conflict',
      `A backup has been in progress since ${formatMoment(state.makingSince.toISOString())}. Wait until it has finished.`,
    );
  state.makingSince = context.now();
  state.failure = null;
  const writing = write(context, actor, backups)
    .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
    .then((message) => {
      state.makingSince = null;
      if (message !== null) state.failure = { at: context.now(), message };
      return message;
    });
  const failure = await Promise.race([writing, sleep(WAIT_MS, null, { ref: false })]);
  return failure === null ? succeed(listBackupFiles(backups)) : fail('unavailable', failure);
}

/** Returns null, or the error message. */
async function write(
  { database, now }: Pick<AppContext, 'database' | 'now'>,
  actor: Actor,
  { folder, connectionString, version, key, signal }: BackupContext,
): Promise<string | null> {
  const written = await addBackup({ folder, reason: 'asked', connectionString, version, key, now: now(), signal });
  if (!written.ok) return written.problem.message;
  const { file, bytes, manifest } = written.value;
  await recordChange(database.prisma, actor, {
    act: 'created',
    subject: { kind: 'backup', name: path.basename(file) },
    change: { rows: countRows(manifest), bytes },
  });
  return null;
}
