import { getBackupContext } from '#lib/backups/backup-context.ts';
import { deleteBackup, downloadBackup, listBackupFiles } from '#lib/backups/backup-files.ts';
import { getBackupSchedule, updateBackupSchedule } from '#lib/backups/backup-schedule.ts';
import { createBackup } from '#lib/backups/create-backup.ts';
import {
  backupScheduleInputSchema,
  backupScheduleViewSchema,
  backupsSchema,
  storedBackupSchema,
} from '#lib/backups/schema.ts';
import { succeed } from '#lib/core/problem.ts';
import { downloadResponse } from '#lib/formats/download.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { nameOf } from '#lib/http/parameters.ts';
import { purgeDue } from '#lib/settings/purge.ts';
import { getRetention, previewRetention, updateRetention } from '#lib/settings/retention.ts';
import { purgedSchema, retentionInputSchema, retentionSchema, retentionViewSchema } from '#lib/settings/schema.ts';

export const backupRoutes = {
  listBackups: defineRoute('GET /api/v1/backups', {
    summary: 'List the backups on this machine, and the one in progress',
    role: 'owner',
    response: component('Backups', backupsSchema),
    handle: async () => succeed(listBackupFiles(getBackupContext())),
  }),
  createBackup: defineRoute('POST /api/v1/backups', {
    summary: 'Create a backup. One that takes longer than 2 seconds continues in the background',
    role: 'owner',
    limit: 'backup',
    audit: 'created',
    status: 201,
    response: component('Backups', backupsSchema),
    handle: async ({ context, actor }) => createBackup(context, actor, getBackupContext()),
  }),
  getBackupSchedule: defineRoute('GET /api/v1/backups/schedule', {
    summary: 'Get the backup schedule with the last and the next backup',
    role: 'owner',
    response: component('BackupSchedule', backupScheduleViewSchema),
    handle: async ({ context }) => succeed(await getBackupSchedule(context)),
  }),
  updateBackupSchedule: defineRoute('PUT /api/v1/backups/schedule', {
    summary: 'Set how often backups are made and how many are kept',
    role: 'owner',
    audit: 'changed',
    body: component('BackupScheduleInput', backupScheduleInputSchema),
    response: component('BackupSchedule', backupScheduleViewSchema),
    handle: async ({ context, actor, body }) => updateBackupSchedule(context, actor, body),
  }),
  downloadBackup: defineRoute('GET /api/v1/backups/{name}', {
    summary: 'Download a backup for `npm run restore`',
    role: 'owner',
    limit: 'backup',
    audit: 'exported',
    params: { name: nameOf('backup') },
    response: { types: ['application/gzip'] },
    handle: async ({ context, request, actor, params }) => {
      const download = await downloadBackup(context, actor, getBackupContext(), params.name);
      return download.ok ? downloadResponse(request, download.value) : download;
    },
  }),
  deleteBackup: defineRoute('DELETE /api/v1/backups/{name}', {
    summary: 'Delete a backup',
    role: 'owner',
    audit: 'deleted',
    params: { name: nameOf('backup') },
    response: component('StoredBackup', storedBackupSchema),
    handle: async ({ context, actor, params }) => deleteBackup(context, actor, getBackupContext(), params.name),
  }),
  getRetention: defineRoute('GET /api/v1/retention', {
    summary: 'Get how long texts are kept and what is due for deletion',
    role: 'owner',
    response: component('Retention', retentionViewSchema),
    handle: async ({ context }) => succeed(await getRetention(context)),
  }),
  updateRetention: defineRoute('PUT /api/v1/retention', {
    summary: 'Set how long texts are kept after their run has ended',
    role: 'owner',
    audit: 'changed',
    body: component('RetentionInput', retentionInputSchema),
    response: component('Retention', retentionViewSchema),
    handle: async ({ context, actor, body }) => updateRetention(context, actor, body),
  }),
  previewPurge: defineRoute('POST /api/v1/retention/preview', {
    summary: 'Preview what a retention period would delete. Deletes nothing',
    role: 'owner',
    limit: 'backup',
    audit: { none: 'only counts' },
    body: component('RetentionPreviewInput', retentionSchema),
    response: component('Purged', purgedSchema),
    handle: async ({ context, body }) => previewRetention(context, body),
  }),
  purge: defineRoute('POST /api/v1/retention/purge', {
    summary: 'Delete now what is past its retention period',
    role: 'owner',
    limit: 'backup',
    audit: 'purged',
    response: component('Purged', purgedSchema),
    handle: async ({ context, actor }) => purgeDue(context, actor),
  }),
};
