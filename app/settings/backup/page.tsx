import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { RefreshWhile } from '#components/layout/refresh-while.tsx';
import { BackupPart } from '#components/settings/backup-part.tsx';
import { isDueSoon } from '#components/settings/is-due-soon.ts';
import { RetentionPart } from '#components/settings/retention-part.tsx';
import { SchedulePart } from '#components/settings/schedule-part.tsx';
import { SettingsTabs } from '#components/settings/settings-tabs.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getBackupContext } from '#lib/backups/backup-context.ts';
import { listBackupFiles } from '#lib/backups/backup-files.ts';
import { getBackupSchedule } from '#lib/backups/backup-schedule.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { getRunningApp } from '#lib/context/running-app.ts';
import { formatNumberOf } from '#lib/format.ts';
import { getRetention } from '#lib/settings/retention.ts';
import { changeBackupScheduleAction, changeRetentionAction } from './actions.ts';

export default async function BackupPage() {
  await authorizePage('/settings/backup');
  const context = await getAppContext();
  const backups = listBackupFiles(getBackupContext());
  const schedule = await getBackupSchedule(context);
  const retention = await getRetention(context);
  const now = context.now().toISOString();
  const { environment } = getRunningApp();
  return (
    <Page crumbs={[{ label: 'Settings', href: '/settings' }, { label: 'Backup and retention' }]}>
      <RefreshWhile isUnderWay={backups.makingSince !== null || isDueSoon(schedule.next, now)} />
      <PageHead
        title="Backup and retention"
        facts={<span>{formatNumberOf(backups.items.length, 'backup')} on this machine</span>}
      />
      <SettingsTabs />
      <BackupPart
        backups={backups}
        secretFrom={environment.secret === null ? 'the file secret.key in the data directory' : 'HONE_SECRET'}
      />
      <SchedulePart
        schedule={schedule}
        isLastHere={backups.items.some(({ name }) => name === schedule.last?.name)}
        save={changeBackupScheduleAction}
      />
      <RetentionPart retention={retention} save={changeRetentionAction} />
    </Page>
  );
}
