import type { BackupSchedule, LastScheduled, ScheduleFailure, StoredBackup } from './schema.ts';

/** State that determines the next scheduled backup: the setting, the last backup, and a later failure. Null if there is none. */
export type ScheduleState = {
  schedule: BackupSchedule;
  last: Pick<LastScheduled, 'at'> | null;
  failure: Pick<ScheduleFailure, 'at' | 'tries'> | null;
};

const DAY_MS = 86_400_000;
const FIRST_WAIT_MS = 900_000;
const MAX_RETRY_WAIT_MS = 21_600_000;

/**
 * Returns the time of the next scheduled backup, or `now` if it is due or overdue. Null if none is scheduled. After a failure it waits 15
 * min, doubled each time up to 6 h. A clock that was set back delays it by no more than that.
 */
export function nextBackupAt({ schedule, last, failure }: ScheduleState, now: Date): Date | null {
  if (schedule.everyDays === null) return null;
  return new Date(
    Math.max(
      endOfWait(last?.at ?? null, schedule.everyDays * DAY_MS, now),
      endOfWait(failure?.at ?? null, retryWaitMs(failure?.tries ?? 1), now),
    ),
  );
}

/** Returns the delay after a number of consecutive failures, in milliseconds. */
export function retryWaitMs(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), MAX_RETRY_WAIT_MS);
}

/**
 * Returns the end of a wait, never before `now`. A start further in the future than the wait itself was written by a clock that was ahead
 * and is ignored.
 */
function endOfWait(from: string | null, waitMs: number, now: Date): number {
  if (from === null) return now.getTime();
  const sinceMs = now.getTime() - Date.parse(from);
  return Math.abs(sinceMs) >= waitMs ? now.getTime() : now.getTime() - sinceMs + waitMs;
}

/**
 * Returns the names of the scheduled backups beyond the `kept` newest, oldest first. `made`, the latest backup, counts as the newest even
 * if the clock was set back. Backups for other reasons are neither counted nor returned.
 */
export function surplusBackups(
  backups: readonly Pick<StoredBackup, 'name' | 'reason' | 'madeAt'>[],
  { kept, made }: { kept: number; made: string },
): string[] {
  const older = backups
    .filter(({ name, reason }) => reason === 'scheduled' && name !== made)
    .sort((one, other) => Date.parse(one.madeAt) - Date.parse(other.madeAt) || order(one.name, other.name));
  return older.slice(0, Math.max(0, older.length - (kept - 1))).map(({ name }) => name);
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
