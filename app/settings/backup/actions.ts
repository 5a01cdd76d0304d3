'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getBackupContext } from '#lib/backups/backup-context.ts';
import { deleteBackup } from '#lib/backups/backup-files.ts';
import { updateBackupSchedule } from '#lib/backups/backup-schedule.ts';
import { createBackup } from '#lib/backups/create-backup.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { purgeDue } from '#lib/settings/purge.ts';
import { previewRetention, updateRetention } from '#lib/settings/retention.ts';

/** Creates a backup. A slow backup continues in the background. */
export const makeBackupNowAction = defineAction(
  'makeBackupNowAction',
  { role: 'owner', limit: 'backup', audit: 'created', refreshes: 'always' },
  async (actor) => createBackup(await getAppContext(), actor, getBackupContext()),
);

export const removeBackupAction = defineAction(
  'removeBackupAction',
  { role: 'owner', named: 'backup', audit: 'deleted', refreshes: true },
  async (actor, name: string) => deleteBackup(await getAppContext(), actor, getBackupContext(), name),
);

/** Sets the schedule of automatic backups and how many are kept. */
export const changeBackupScheduleAction = defineAction(
  'changeBackupScheduleAction',
  { role: 'owner', audit: 'changed', refreshes: true },
  async (actor, input: unknown) => updateBackupSchedule(await getAppContext(), actor, input, { isPartial: true }),
);

/** Sets the retention periods. */
export const changeRetentionAction = defineAction(
  'changeRetentionAction',
  { role: 'owner', audit: 'changed', refreshes: true },
  async (actor, input: unknown) => updateRetention(await getAppContext(), actor, input, { isPartial: true }),
);

/** Counts the data that a given retention period would delete. */
export const countRetentionAction = defineAction(
  'countRetentionAction',
  { role: 'owner', limit: 'backup', audit: { none: 'only counts' } },
  async (_actor, input: unknown) => previewRetention(await getAppContext(), input),
);

/** Deletes all data past its retention period now. */
export const purgeNowAction = defineAction(
  'purgeNowAction',
  { role: 'owner', limit: 'backup', audit: 'purged', refreshes: true },
  async (actor) => purgeDue(await getAppContext(), actor),
);
