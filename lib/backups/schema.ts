import { z } from 'zod';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { showValue } from '#lib/core/text-values.ts';

const everyDays = z
  .literal([1, 7], {
    error: (issue) =>
      `must be 1 (every day), 7 (every 7 days) or null (no backup by schedule), got ${showValue(issue.input)}`,
  })
  .nullable()
  .meta({ description: 'A backup is made every so many days; null: none is made by itself.' });
const kept = integerBetween(1, 365).meta({
  description: 'So many of the scheduled ones are kept; once a new one is whole, the oldest go.',
});

/** How often Hone makes a backup by itself, and how many of these are kept. Off until somebody says otherwise. */
export const backupScheduleSchema = z.strictObject({ everyDays: everyDays.default(null), kept: kept.default(7) });
/** As it is set: what is left out is no order to stop making backups, or to keep fewer. */
export const backupScheduleInputSchema = z.strictObject({ everyDays, kept });
export type BackupSchedule = z.infer<typeof backupScheduleSchema>;

/** The scheduled backup that was made last, on which machine, in which folder. */
export const lastScheduledSchema = z.object({
  at: z.iso.datetime(),
  name: z.string(),
  bytes: z.int().meta({ description: 'Of the file.' }),
  host: z.string(),
  folder: z.string(),
});
export type LastScheduled = z.infer<typeof lastScheduledSchema>;

/** Why there is no new one although one is due, or why the oldest could not be deleted. `tries`: how many have failed one after another. */
export const scheduleFailureSchema = z.object({
  at: z.iso.datetime(),
  host: z.string(),
  message: z.string(),
  tries: z.int().min(1),
});
export type ScheduleFailure = z.infer<typeof scheduleFailureSchema>;

/** The setting, and how it goes. */
export const backupScheduleViewSchema = z.object({
  ...backupScheduleSchema.shape,
  updatedBy: z.string().nullable(),
  updatedAt: z.iso.datetime().nullable(),
  last: lastScheduledSchema.nullable().meta({ description: 'Null: none was made yet.' }),
  next: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'From then on the next one is made, or tried again; null: it is off.' }),
  failure: scheduleFailureSchema
    .nullable()
    .meta({ description: 'Why the last try failed; null: it did not, or it is off.' }),
});
export type BackupScheduleView = z.infer<typeof backupScheduleViewSchema>;

/** A backup in the folder of backups. */
export const storedBackupSchema = z.object({
  name: z.string(),
  reason: z.enum(['asked', 'scheduled', 'migration', 'restore', 'upgrade']).meta({
    description:
      'Somebody asked for it, or Hone made it by the schedule, or before a migration, a restore or an upgrade of PostgreSQL.',
  }),
  bytes: z.int().meta({ description: 'Of the file.' }),
  madeAt: z.iso.datetime(),
});
export type StoredBackup = z.infer<typeof storedBackupSchema>;
export type BackupReason = StoredBackup['reason'];

/** All backups, newest first, and what is under way. */
export const backupsSchema = z.object({
  items: z.array(storedBackupSchema),
  folder: z.string().meta({ description: 'Where they are, on the machine that answers.' }),
  makingSince: z.iso.datetime().nullable().meta({ description: 'Of the one that is being made; null: none is.' }),
  failure: z
    .object({ at: z.iso.datetime(), message: z.string() })
    .nullable()
    .meta({ description: 'Why the last one that was asked for could not be made; null: it could.' }),
});
export type Backups = z.infer<typeof backupsSchema>;
