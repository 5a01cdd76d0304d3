import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '#lib/auth/actor.ts';
import { HONE_ACTOR, recordChange } from '#lib/auth/record-change.ts';
import type { TimedContext } from '#lib/context/app-context.ts';
import { fail, type Problem, type Result, succeed } from '#lib/core/problem.ts';
import { tryLock } from '#lib/database/locks.ts';
import { errorReason } from '#lib/database/retry-while-unreachable.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { formatMoment } from '#lib/format.ts';
import { getLog } from '#lib/log/log.ts';
import type { BackupContext } from './backup-context.ts';
import { deleteBackup, listBackupFiles } from './backup-files.ts';
import { dropUnfinishedBackups, listBackups, newBackupFile } from './backup-folder.ts';
import { countRows } from './backup-manifest.ts';
import {
  findBackupSchedule,
  nextBackupAt,
  type ScheduleState,
  surplusBackups,
  writeLastScheduled,
  writeScheduleFailure,
} from './backup-schedule.ts';
import { inspectBackup } from './inspect-backup.ts';
import type { BackupReason, Backups } from './schema.ts';
import { type BackupRequest, type WrittenBackup, writeBackup } from './write-backup.ts';

type Added = Omit<BackupRequest, 'file'> & { folder: string; reason: BackupReason };

/** Writes a backup into the backup folder, named by time and reason. First deletes files left unfinished by killed processes. */
async function addBackup({ folder, reason, ...request }: Added): Promise<Result<WrittenBackup>> {
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
  context: TimedContext,
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
  { database, now }: TimedContext,
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

/**
 * Makes the scheduled backup if it is due, then deletes the oldest scheduled ones beyond the configured number. Returns true if one was
 * made or attempted, false if none is due or one is in progress in any process. A failure is stored with its reason.
 */
export async function createScheduledBackup(
  context: TimedContext,
  backups: BackupContext,
  signal: AbortSignal = backups.signal,
): Promise<boolean> {
  if (backups.state.makingSince !== null || (await findDue(context)) === null) return false;
  const tried = await tryLock(context.database, 'backupSchedule', async () => {
    // In the meantime, another process may have made it, or a requested backup may have started here.
    const due = await findDue(context);
    if (due === null || backups.state.makingSince !== null) return false;
    backups.state.makingSince = context.now();
    try {
      await createAndPruneBackups(context, backups, due, signal);
    } finally {
      backups.state.makingSince = null;
    }
    return true;
  });
  return tried ?? false;
}

type Due = { kept: number; failedBefore: number };

async function findDue({ database, now }: TimedContext): Promise<Due | null> {
  const { setting, last, failure } = await findBackupSchedule(database);
  if (setting === null) return null;
  const state: ScheduleState = { schedule: setting.value, last, failure };
  const moment = now();
  if (nextBackupAt(state, moment)?.getTime() !== moment.getTime()) return null;
  return { kept: setting.value.kept, failedBefore: failure?.tries ?? 0 };
}

async function createAndPruneBackups(
  context: TimedContext,
  backups: BackupContext,
  { kept, failedBefore }: Due,
  signal: AbortSignal,
): Promise<void> {
  const made = await make(context, backups, signal).catch(failureOf);
  if (!made.ok) {
    if (!signal.aborted) await recordFailure(context, made.problem.message, failedBefore + 1);
    return;
  }
  const cleared = await deleteSurplusBackups(context, backups, { kept, made: made.value }).catch(failureOf);
  if (!cleared.ok)
    await recordFailure(
      context,
      `A new backup was created, but the oldest one in ${backups.folder} could not be deleted: ${cleared.problem.message}`,
      1,
    );
}

/** Returns the backup's name after it is verified and recorded. */
async function make(context: TimedContext, backups: BackupContext, signal: AbortSignal): Promise<Result<string>> {
  const written = await createVerifiedBackup(context, backups, signal);
  if (!written.ok) return written;
  const { file, bytes, manifest } = written.value;
  const name = path.basename(file);
  const last = { at: manifest.madeAt, name, bytes, host: hostname(), folder: backups.folder };
  await inTransaction(context.database, async (transaction) => {
    await writeLastScheduled(transaction, last);
    await recordChange(transaction, HONE_ACTOR, {
      act: 'created',
      subject: { kind: 'backup', name },
      change: { rows: countRows(manifest), bytes, reason: 'scheduled' },
    });
  });
  getLog().info(`scheduled backup in ${file}`, { bytes });
  return succeed(name);
}

/** The backup is verified before older ones are deleted in its favor. An invalid one is deleted. */
async function createVerifiedBackup(
  { now }: TimedContext,
  { folder, connectionString, version, key }: BackupContext,
  signal: AbortSignal,
): Promise<Result<WrittenBackup>> {
  const written = await addBackup({ folder, reason: 'scheduled', connectionString, version, key, now: now(), signal });
  if (!written.ok) return written;
  const inspected = await inspectBackup(written.value.file, key, signal);
  if (inspected.ok) return written;
  rmSync(written.value.file, { force: true });
  return inspected;
}

async function deleteSurplusBackups(
  context: TimedContext,
  backups: BackupContext,
  { kept, made }: { kept: number; made: string },
): Promise<Result<null>> {
  for (const name of surplusBackups(listBackups(backups.folder), { kept, made }))
    await deleteBackup(context, HONE_ACTOR, backups, name);
  return succeed(null);
}

async function recordFailure({ database, now }: TimedContext, message: string, tries: number): Promise<void> {
  getLog().error(`scheduled backup: ${message}`);
  await writeScheduleFailure(database.prisma, { at: now().toISOString(), host: hostname(), message, tries });
}

function failureOf(error: unknown): { ok: false; problem: Problem } {
  return fail('unavailable', `${errorReason(error)}.`);
}
