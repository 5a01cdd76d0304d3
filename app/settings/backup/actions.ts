'use server';

import { revalidatePath } from 'next/cache';
import { defineAction } from '#lib/auth/define-action.ts';
import { getBackupContext } from '#lib/backups/backup-context.ts';
import { deleteBackup } from '#lib/backups/backup-files.ts';
import { updateBackupSchedule } from '#lib/backups/backup-schedule.ts';
import { createBackup } from '#lib/backups/create-backup.ts';
import type { BackupScheduleView, Backups, StoredBackup } from '#lib/backups/schema.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import { purgeDue } from '#lib/settings/purge.ts';
import { previewRetention, updateRetention } from '#lib/settings/retention.ts';
import type { Purged, RetentionView } from '#lib/settings/schema.ts';

/** Creates a backup. A slow backup continues in the background. */
export const makeBackupNowAction = defineAction(
  'makeBackupNowAction',
  { role: 'owner', limit: 'backup', audit: 'created' },
  async (actor): Promise<Result<Backups>> => {
    const result = await createBackup(await getAppContext(), actor, getBackupContext());
    revalidatePath('/settings/backup');
    return result;
  },
);

export const removeBackupAction = defineAction(
  'removeBackupAction',
  { role: 'owner', named: 'backup', audit: 'deleted' },
  async (actor, name: string): Promise<Result<StoredBackup>> => {
    const result = await deleteBackup(await getAppContext(), actor, getBackupContext(), name);
    if (result.ok) revalidatePath('/settings/backup');
    return result;
  },
);

/** Sets the schedule of automatic backups and how many are kept. */
export const changeBackupScheduleAction = defineAction(
  'changeBackupScheduleAction',
  { role: 'owner', audit: 'changed' },
  async (actor, input: unknown): Promise<Result<BackupScheduleView>> => {
    const result = await updateBackupSchedule(await getAppContext(), actor, input, { isPartial: true });
    if (result.ok) revalidatePath('/settings/backup');
    return result;
  },
);

/** Sets the retention periods. */
export const changeRetentionAction = defineAction(
  'changeRetentionAction',
  { role: 'owner', audit: 'changed' },
  async (actor, input: unknown): Promise<Result<RetentionView>> => {
    const result = await updateRetention(await getAppContext(), actor, input, { isPartial: true });
    if (result.ok) revalidatePath('/settings/backup');
    return result;
  },
);

/** Counts the data that a given retention period would delete. */
export const countRetentionAction = defineAction(
  'countRetentionAction',
  { role: 'owner', limit: 'backup', audit: { none: 'only counts' } },
  async (_actor, input: unknown): Promise<Result<Purged>> => {
    return previewRetention(await getAppContext(), input);
  },
);

/** Deletes all data past its retention period now. */
export const purgeNowAction = defineAction(
  'purgeNowAction',
  { role: 'owner', limit: 'backup', audit: 'purged' },
  async (actor): Promise<Result<Purged>> => {
    const result = await purgeDue(await getAppContext(), actor);
    if (result.ok) revalidatePath('/settings/backup');
    return result;
  },
);
