'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { updateBackupSchedule } from '#lib/backups/backup-schedule.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { updateRetention } from '#lib/settings/retention.ts';

/** Sets the changed parts of the schedule of automatic backups. */
export const changeBackupScheduleAction = defineAction(
  'changeBackupScheduleAction',
  { role: 'owner', audit: 'changed' },
  async (actor, input: unknown) => updateBackupSchedule(await getAppContext(), actor, input, { isPartial: true }),
);

/** Sets the changed retention periods. */
export const changeRetentionAction = defineAction(
  'changeRetentionAction',
  { role: 'owner', audit: 'changed' },
  async (actor, input: unknown) => updateRetention(await getAppContext(), actor, input, { isPartial: true }),
);
