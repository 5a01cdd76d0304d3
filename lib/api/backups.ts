import { getBackupContext } from '#lib/backups/backup-context.ts';
import { deleteBackup, downloadBackup, listBackupFiles } from '#lib/backups/backup-files.ts';
import { createBackup } from '#lib/backups/create-backup.ts';
import {
  backupScheduleInputSchema,
  backupScheduleViewSchema,
  backupsSchema,
  storedBackupSchema,
} from '#lib/backups/schema.ts';
import { getBackupSchedule, updateBackupSchedule } from '#lib/backups/stored-schedule.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { succeed } from '#lib/core/problem.ts';
import { downloadResponse } from '#lib/formats/download.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { nameOf } from '#lib/http/path-params.ts';
import { purgeDue } from '#lib/settings/purge.ts';
import { getRetention, previewRetention } from '#lib/settings/retention-settings.ts';
import { purgedSchema, retentionInputSchema, retentionSchema, retentionViewSchema } from '#lib/settings/schema.ts';
import { updateRetention } from '#lib/settings/update-retention.ts';

export const backupRoutes = {
  listBackups: defineRoute('GET /api/v1/backups', {
    summary: 'The backups on the machine that answers, newest first, and the one that is being made',
    role: 'owner',
    scope: 'runs:read',
    response: component('Backups', backupsSchema),
    handle: async () => succeed(listBackupFiles(getBackupContext())),
  }),
  createBackup: defineRoute('POST /api/v1/backups', {
    summary: 'Make a backup of the whole database; one that takes longer than 2 s goes on by itself (makingSince)',
    role: 'owner',
    scope: 'runs:write',
    limit: 'backup',
    audit: 'created',
    status: 201,
    response: component('Backups', backupsSchema),
    handle: async ({ actor }) => createBackup(await getAppContext(), actor, getBackupContext()),
  }),
  getBackupSchedule: defineRoute('GET /api/v1/backups/schedule', {
    summary:
      'How often a backup is made by itself, how many of these are kept, the last and the next one, and what failed',
    role: 'owner',
    scope: 'runs:read',
    response: component('BackupSchedule', backupScheduleViewSchema),
    handle: async () => succeed(await getBackupSchedule(await getAppContext())),
  }),
  updateBackupSchedule: defineRoute('PUT /api/v1/backups/schedule', {
    summary:
      'Set how often a backup is made by itself and how many of these are kept; one that is due is made within a minute',
    role: 'owner',
    scope: 'runs:write',
    audit: 'changed',
    body: component('BackupScheduleInput', backupScheduleInputSchema),
    response: component('BackupSchedule', backupScheduleViewSchema),
    handle: async ({ actor, body }) => updateBackupSchedule(await getAppContext(), actor, body),
  }),
  downloadBackup: defineRoute('GET /api/v1/backups/{name}', {
    summary: 'A backup as a file, for `npm run restore`',
    role: 'owner',
    scope: 'runs:read',
    limit: 'backup',
    audit: 'exported',
    params: { name: nameOf('backup') },
    response: { types: ['application/gzip'] },
    handle: async ({ request, actor, params }) => {
      const download = await downloadBackup(await getAppContext(), actor, getBackupContext(), params.name);
      return download.ok ? downloadResponse(request, download.value) : download;
    },
  }),
  deleteBackup: defineRoute('DELETE /api/v1/backups/{name}', {
    summary: 'Delete the file of a backup',
    role: 'owner',
    scope: 'runs:write',
    audit: 'deleted',
    params: { name: nameOf('backup') },
    response: component('StoredBackup', storedBackupSchema),
    handle: async ({ actor, params }) => deleteBackup(await getAppContext(), actor, getBackupContext(), params.name),
  }),
  getRetention: defineRoute('GET /api/v1/retention', {
    summary: 'For how many days things are kept, what is due to be removed by that, and what was removed last',
    role: 'owner',
    scope: 'runs:read',
    response: component('Retention', retentionViewSchema),
    handle: async () => succeed(await getRetention(await getAppContext())),
  }),
  updateRetention: defineRoute('PUT /api/v1/retention', {
    summary: 'Set for how many days things are kept after the end of their run; what is due is removed within a day',
    role: 'owner',
    scope: 'runs:write',
    audit: 'changed',
    body: component('RetentionInput', retentionInputSchema),
    response: component('Retention', retentionViewSchema),
    handle: async ({ actor, body }) => updateRetention(await getAppContext(), actor, body),
  }),
  previewPurge: defineRoute('POST /api/v1/retention/preview', {
    summary: 'What would be removed if things were kept for so long; nothing is',
    role: 'owner',
    scope: 'runs:write',
    limit: 'backup',
    audit: { none: 'only counts' },
    body: component('RetentionPreviewInput', retentionSchema),
    response: component('Purged', purgedSchema),
    handle: async ({ body }) => previewRetention(await getAppContext(), body),
  }),
  purge: defineRoute('POST /api/v1/retention/purge', {
    summary: 'Remove now what is kept no longer',
    role: 'owner',
    scope: 'runs:write',
    limit: 'backup',
    audit: 'purged',
    response: component('Purged', purgedSchema),
    handle: async ({ actor }) => purgeDue(await getAppContext(), actor),
  }),
};
