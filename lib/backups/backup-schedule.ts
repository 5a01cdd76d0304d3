import { z } from 'zod';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { showValue } from '#lib/core/show-value.ts';

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
