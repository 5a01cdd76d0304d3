import type { BackupSchedule, LastScheduled, ScheduleFailure, StoredBackup } from './schema.ts';

/** What the next scheduled backup is decided by: the setting, the last one, and the failure since; null where there is none. */
export type ScheduleState = {
  schedule: BackupSchedule;
  last: Pick<LastScheduled, 'at'> | null;
  failure: Pick<ScheduleFailure, 'at' | 'tries'> | null;
};

const DAY_MS = 86_400_000;
const FIRST_WAIT_MS = 900_000;
const LONGEST_WAIT_MS = 21_600_000;

/**
 * When the next scheduled backup is made: `now` itself where it is due, however long ago that was; null where none is scheduled. After a
 * failure it waits 15 min, then twice as long each time, up to 6 h. A clock that was put back holds it up for no longer than that either.
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

/** How long it is waited after so many failures one after another, in milliseconds. */
export function retryWaitMs(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
}

/** Never before `now`. What lies further ahead than the wait is long was written by a clock that was ahead: it is waited for no longer. */
function endOfWait(from: string | null, waitMs: number, now: Date): number {
  if (from === null) return now.getTime();
  const sinceMs = now.getTime() - Date.parse(from);
  return Math.abs(sinceMs) >= waitMs ? now.getTime() : now.getTime() - sinceMs + waitMs;
}

/**
 * The names of the scheduled backups beyond the `kept` newest, oldest first. `made`, the one that was just made, is the newest whatever a
 * clock that was put back says of it. Those made for another reason neither go nor count.
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
