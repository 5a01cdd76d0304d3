import type { BackupContext } from '#lib/backups/backup-context.ts';
import { retryWaitMs } from '#lib/backups/backup-schedule.ts';
import { createScheduledBackup } from '#lib/backups/create-backup.ts';
import type { TimedContext } from '#lib/context/app-context.ts';
import { runPeriodically } from './run-periodically.ts';

/** Interval of checks for a due backup, in milliseconds. */
const LOOK_MS = 20_000;

/**
 * Starts making the scheduled backups. Only for processes that serve pages, because owners see the backup folder of those. Returns a
 * function that stops this and aborts a backup in progress.
 */
export function watchBackupSchedule(
  context: TimedContext,
  backup: BackupContext,
  lookMs = LOOK_MS,
): () => Promise<void> {
  let heldUntilMs = 0;
  const look = async (signal: AbortSignal) => {
    if (performance.now() < heldUntilMs) return;
    try {
      await createScheduledBackup(context, backup, AbortSignal.any([signal, backup.signal]));
    } catch (error) {
      // The failure could not be stored, so only this process delays the next attempt.
      heldUntilMs = performance.now() + retryWaitMs(1);
      throw error;
    }
  };
  return runPeriodically('scheduled backup', lookMs, look, { atOnce: true });
}
