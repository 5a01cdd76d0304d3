import { z } from 'zod';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { showValue } from '#lib/core/text-values.ts';

const everyDays = z
  .literal([1, 7], {
    error: (issue) =>
      `must be 1 (every day), 7 (every 7 days) or null (no backup by schedule), got ${showValue(issue.input)}`,
  })
  .nullable()
  .meta({ description: 'Days between scheduled backups. Null: no scheduled backups.' });
const kept = integerBetween(1, 365).meta({
  description: 'Number of scheduled backups to keep. When a new one is complete, the oldest are deleted.',
});

/** Interval of scheduled backups and the number to keep. Off by default. */
export const backupScheduleSchema = z.strictObject({ everyDays: everyDays.default(null), kept: kept.default(7) });
/** Input for the schedule. No defaults, so that an omitted field never stops backups or reduces their number. */
export const backupScheduleInputSchema = z.strictObject({ everyDays, kept });
export type BackupSchedule = z.infer<typeof backupScheduleSchema>;

/** The last scheduled backup, with its machine and folder. */
export const lastScheduledSchema = z.object({
  at: z.iso.datetime(),
  name: z.string(),
  bytes: z.int().meta({ description: 'Of the file.' }),
  host: z.string(),
  folder: z.string(),
});
export type LastScheduled = z.infer<typeof lastScheduledSchema>;

/** Why a due backup failed, or why the oldest could not be deleted. `tries`: number of consecutive failures. */
export const scheduleFailureSchema = z.object({
  at: z.iso.datetime(),
  host: z.string(),
  message: z.string(),
  tries: z.int().min(1),
});
export type ScheduleFailure = z.infer<typeof scheduleFailureSchema>;

/** The schedule setting and its current state. */
export const backupScheduleViewSchema = z.object({
  ...backupScheduleSchema.shape,
  updatedBy: z.string().nullable(),
  updatedAt: z.iso.datetime().nullable(),
  last: lastScheduledSchema.nullable().meta({ description: 'Null: none was made yet.' }),
  next: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the next backup, or the next try, is due. Null: the schedule is off.' }),
  failure: scheduleFailureSchema
    .nullable()
    .meta({ description: 'Why the last try failed. Null if it did not fail, or the schedule is off.' }),
});
export type BackupScheduleView = z.infer<typeof backupScheduleViewSchema>;

/** A backup in the backup folder. */
export const storedBackupSchema = z.object({
  name: z.string(),
  reason: z.enum(['asked', 'scheduled', 'migration', 'restore', 'upgrade']).meta({
    description:
      'Someone requested it, or Hone made it on schedule, or before a migration, a restore or an upgrade of PostgreSQL.',
  }),
  bytes: z.int().meta({ description: 'Of the file.' }),
  madeAt: z.iso.datetime(),
});
export type StoredBackup = z.infer<typeof storedBackupSchema>;
export type BackupReason = StoredBackup['reason'];

/** All backups, newest first, and the one in progress. */
export const backupsSchema = z.object({
  items: z.array(storedBackupSchema),
  folder: z.string().meta({ description: 'The folder with the backups, on the machine that responded.' }),
  makingSince: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the backup in progress was started. Null: no backup is in progress.' }),
  failure: z
    .object({ at: z.iso.datetime(), message: z.string() })
    .nullable()
    .meta({ description: 'Why the last requested backup failed. Null if it succeeded.' }),
});
export type Backups = z.infer<typeof backupsSchema>;
