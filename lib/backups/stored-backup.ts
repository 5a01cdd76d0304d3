import { z } from 'zod';

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
