import type { BackupContext } from '#lib/backups/backup-context.ts';
import { createScheduledBackup } from '#lib/backups/create-scheduled-backup.ts';
import { retryWaitMs } from '#lib/backups/next-backup.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { isUnreachable } from '#lib/database/while-unreachable.ts';
import { getLog } from '#lib/log/log.ts';

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
  const stopping = new AbortController();
  let underWay: Promise<unknown> | null = null;
  let heldUntilMs = 0;
  const look = () => {
    if (performance.now() < heldUntilMs) return;
    underWay ??= createScheduledBackup(context, house, AbortSignal.any([stopping.signal, house.signal]))
      .catch((error: unknown) => {
        // Its failure could not be stored: then only this process knows to wait.
        heldUntilMs = performance.now() + retryWaitMs(1);
        // A database that is away is told of by the health check.
        if (!isUnreachable(error)) getLog().error('scheduled backup', error);
      })
      .finally(() => {
        underWay = null;
      });
  };
  const looking = setInterval(look, lookMs).unref();
  look();
  return async () => {
    stopping.abort();
    clearInterval(looking);
    await underWay;
  };
}
