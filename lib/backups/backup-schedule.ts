import type { Actor } from '#lib/auth/actor.ts';
import type { TimedContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import {
  changeFields,
  findSetting,
  type InstallationSetting,
  writeSetting,
} from '#lib/settings/installation-settings.ts';
import { order } from './backup-folder.ts';
import {
  type BackupSchedule,
  type BackupScheduleView,
  backupScheduleInputSchema,
  backupScheduleSchema,
  type LastScheduled,
  lastScheduledSchema,
  type ScheduleFailure,
  type StoredBackup,
  scheduleFailureSchema,
} from './schema.ts';

const SETTING = { key: 'backup_schedule', schema: backupScheduleSchema };
const LAST = { key: 'last_scheduled_backup', schema: lastScheduledSchema };
const FAILURE = { key: 'scheduled_backup_failure', schema: scheduleFailureSchema };

type StoredSchedule = {
  /** Null if never set, which means off. */
  setting: InstallationSetting<BackupSchedule> | null;
  last: LastScheduled | null;
  failure: ScheduleFailure | null;
};

/** Returns the backup schedule, its last backup, and the failure since. */
export async function findBackupSchedule(database: { prisma: Transaction }): Promise<StoredSchedule> {
  // Sequential queries, because a transaction has one connection.
  const setting = await findSetting(database, SETTING);
  const last = await findSetting(database, LAST);
  const failure = await findSetting(database, FAILURE);
  return { setting, last: last?.value ?? null, failure: failure?.value ?? null };
}

/** Stores the last scheduled backup and clears the earlier failure. */
export async function writeLastScheduled(transaction: Transaction, last: LastScheduled): Promise<void> {
  await transaction.installationSetting.deleteMany({ where: { key: FAILURE.key } });
  await writeSetting(transaction, LAST, { value: cleanJson(last), updatedBy: 'Hone', updatedAt: last.at });
}

export async function writeScheduleFailure(prisma: Transaction, failure: ScheduleFailure): Promise<void> {
  await writeSetting(prisma, FAILURE, { value: cleanJson(failure), updatedBy: 'Hone', updatedAt: failure.at });
}

/** Returns the backup schedule, its last backup, the time of the next one, and what prevents it. */
export async function getBackupSchedule({ database, now }: TimedContext): Promise<BackupScheduleView> {
  const { setting, last, failure } = await findBackupSchedule(database);
  const schedule = setting?.value ?? backupScheduleSchema.parse({});
  return {
    ...schedule,
    updatedBy: setting?.updatedBy ?? null,
    updatedAt: setting?.updatedAt ?? null,
    last,
    next: nextBackupAt({ schedule, last, failure }, now())?.toISOString() ?? null,
    failure: schedule.everyDays === null ? null : failure,
  };
}

/** Returns true once after the database was restored from a backup, and clears that mark. */
export async function clearRestoredFlag(transaction: Transaction): Promise<boolean> {
  return (await transaction.fact.deleteMany({ where: { name: 'restored' } })).count === 1;
}

/**
 * Sets the interval of scheduled backups and the number to keep. A due backup is made within a minute. Returns the current state.
 * `isPartial`: omitted fields are kept.
 */
export async function updateBackupSchedule(
  context: TimedContext,
  actor: Actor,
  input: unknown,
  { isPartial = false } = {},
): Promise<Result<BackupScheduleView>> {
  const parsed = parseInput(isPartial ? backupScheduleInputSchema.partial() : backupScheduleInputSchema, input);
  if (!parsed.ok) return parsed;
  await changeFields(context, actor, { setting: SETTING, fields: parsed.value }, (after, before) => ({
    subject: { kind: 'setting', id: 'backup_schedule', name: 'Scheduled backups' },
    change: {
      ...(after.everyDays === before.everyDays
        ? {}
        : { made: `${backupIntervalLabel(before)} → ${backupIntervalLabel(after)}` }),
      ...(after.kept === before.kept ? {} : { kept: `${before.kept} → ${after.kept}` }),
    },
  }));
  return succeed(await getBackupSchedule(context));
}

function backupIntervalLabel({ everyDays }: BackupSchedule): string {
  switch (everyDays) {
    case null:
      return 'never';
    case 1:
      return 'every day';
    case 7:
      return 'every 7 days';
  }
}

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
