import type { BackupContext } from '#lib/backups/backup-context.ts';
import { createScheduledBackup } from '#lib/backups/create-scheduled-backup.ts';
import { retryWaitMs } from '#lib/backups/next-backup.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { runPeriodically } from './run-periodically.ts';

/** How often it is looked whether a backup is due, in milliseconds. */
const LOOK_MS = 20_000;

/**
 * Makes the scheduled backup when it is due, from now on. For processes that serve pages: their folder is the one that owners see. Answers
 * how to stop, which breaks off one that is under way.
 */
export function watchBackupSchedule(
  context: Pick<AppContext, 'database' | 'now'>,
  house: BackupContext,
  lookMs = LOOK_MS,
): () => Promise<void> {
  let heldUntilMs = 0;
  const look = async (signal: AbortSignal) => {
    if (performance.now() < heldUntilMs) return;
    try {
      await createScheduledBackup(context, house, AbortSignal.any([signal, house.signal]));
    } catch (error) {
      // Its failure could not be stored: then only this process knows to wait.
      heldUntilMs = performance.now() + retryWaitMs(1);
      throw error;
    }
  };
  return runPeriodically('scheduled backup', lookMs, look, { atOnce: true, quietWhileAway: true });
}
