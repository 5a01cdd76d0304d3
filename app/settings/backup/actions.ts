'use server';

import { revalidatePath } from 'next/cache';
import type { BackupScheduleView } from '#lib/reflection/backup-schedule.ts';
import { fail, type Result } from '#lib/reflection/problem.ts';
import type { Purged, RetentionView } from '#lib/reflection/retention.ts';
import type { Backups, StoredBackup } from '#lib/reflection/stored-backup.ts';
import { getBackupHouse } from '#lib/runs/backups/backup-house.ts';
import { deleteBackup } from '#lib/runs/backups/delete-backup.ts';
import { makeBackup } from '#lib/runs/backups/make-backup.ts';
import { setBackupSchedule } from '#lib/runs/backups/set-backup-schedule.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { previewRetention } from '#lib/runs/retention/preview-retention.ts';
import { purgeDue } from '#lib/runs/retention/purge-due.ts';
import { setRetention } from '#lib/runs/retention/set-retention.ts';
import { authorize } from '#lib/team/authorize.ts';

/** Makes a backup; one that takes long goes on by itself. */
export async function makeBackupNow(): Promise<Result<Backups>> {
  const actor = await authorize({ name: 'action makeBackupNow', role: 'owner' });
  const result = await makeBackup(await getWorkshop(), actor, getBackupHouse());
  revalidatePath('/settings/backup');
  return result;
}

export async function removeBackup(name: string): Promise<Result<StoredBackup>> {
  const actor = await authorize({ name: 'action removeBackup', role: 'owner' });
  if (typeof name !== 'string') return fail('not_found', 'There is no backup of this name.');
  const result = await deleteBackup(await getWorkshop(), actor, getBackupHouse(), name);
  if (result.ok) revalidatePath('/settings/backup');
  return result;
}

/** Sets how often a backup is made by itself, and how many of these are kept. */
export async function changeBackupSchedule(input: unknown): Promise<Result<BackupScheduleView>> {
  const actor = await authorize({ name: 'action changeBackupSchedule', role: 'owner' });
  const result = await setBackupSchedule(await getWorkshop(), actor, input);
  if (result.ok) revalidatePath('/settings/backup');
  return result;
}

/** Sets for how long things are kept. */
export async function changeRetention(input: unknown): Promise<Result<RetentionView>> {
  const actor = await authorize({ name: 'action changeRetention', role: 'owner' });
  const result = await setRetention(await getWorkshop(), actor, input);
  if (result.ok) revalidatePath('/settings/backup');
  return result;
}

/** What would go if things were kept for so long. */
export async function countRetention(input: unknown): Promise<Result<Purged>> {
  await authorize({ name: 'action countRetention', role: 'owner' });
  return previewRetention(await getWorkshop(), input);
}

/** Removes now what is kept no longer. */
export async function purgeNow(): Promise<Result<Purged>> {
  const actor = await authorize({ name: 'action purgeNow', role: 'owner' });
  const result = await purgeDue(await getWorkshop(), actor);
  if (result.ok) revalidatePath('/settings/backup');
  return result;
}
