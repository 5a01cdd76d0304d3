import type { AppContext } from '#lib/context/app-context.ts';
import { type BackupScheduleView, backupScheduleSchema } from './backup-schedule.ts';
import { nextBackupAt } from './next-backup.ts';
import { findBackupSchedule } from './stored-schedule.ts';

/** The schedule of backups, the last one it made, when the next is due, and what stands in its way. */
export async function getBackupSchedule({
  database,
  now,
}: Pick<AppContext, 'database' | 'now'>): Promise<BackupScheduleView> {
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
