import type { BackupHouse } from '#lib/backups/backup-context.ts';
import { makeScheduledBackup } from '#lib/backups/create-scheduled-backup.ts';
import { retryWaitMs } from '#lib/backups/next-backup.ts';
import type { Workshop } from '#lib/context/app-context.ts';
import { isAway } from '#lib/database/while-unreachable.ts';
import { getLog } from '#lib/log/log.ts';

/** How often it is looked whether a backup is due, in milliseconds. */
const LOOK_MS = 20_000;

/**
 * Makes the scheduled backup when it is due, from now on. For processes that serve pages: their folder is the one that owners see. Answers
 * how to stop, which breaks off one that is under way.
 */
export function keepBackingUp(
  workshop: Pick<Workshop, 'database' | 'now'>,
  house: BackupHouse,
  lookMs = LOOK_MS,
): () => Promise<void> {
  const stopping = new AbortController();
  let underWay: Promise<unknown> | null = null;
  let heldUntilMs = 0;
  const look = () => {
    if (performance.now() < heldUntilMs) return;
    underWay ??= makeScheduledBackup(workshop, house, AbortSignal.any([stopping.signal, house.signal]))
      .catch((error: unknown) => {
        // Its failure could not be stored: then only this process knows to wait.
        heldUntilMs = performance.now() + retryWaitMs(1);
        // A database that is away is told of by the health check.
        if (!isAway(error)) getLog().error('scheduled backup', error);
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
