import { findBackupSchedule, writeBackupSchedule } from '#lib/db/backup-schedule.ts';
import {
  type BackupSchedule,
  type BackupScheduleView,
  backupScheduleInputSchema,
  backupScheduleSchema,
} from '#lib/reflection/backup-schedule.ts';
import { type Result, succeed } from '#lib/reflection/problem.ts';
import { recordChange } from '#lib/team/audit/record-change.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { parseInput } from '../parse-input.ts';
import type { Workshop } from '../workshop.ts';
import { viewBackupSchedule } from './view-backup-schedule.ts';

/** Sets how often a backup is made and how many of these are kept; one that is due is made within a minute. Answers how it stands. */
export async function setBackupSchedule(
  workshop: Pick<Workshop, 'database' | 'now'>,
  actor: Actor,
  input: unknown,
): Promise<Result<BackupScheduleView>> {
  const parsed = parseInput(backupScheduleInputSchema, input);
  if (!parsed.ok) return parsed;
  const { database, now } = workshop;
  const before = (await findBackupSchedule(database)).setting?.value ?? backupScheduleSchema.parse({});
  const { everyDays, kept } = parsed.value;
  await database.prisma.$transaction(async (transaction) => {
    await writeBackupSchedule(transaction, { value: parsed.value, updatedBy: actor.name, now: now() });
    await recordChange(transaction, actor, {
      act: 'changed',
      subject: { kind: 'setting', id: 'backup_schedule', name: 'Scheduled backups' },
      change: {
        ...(everyDays === before.everyDays ? {} : { made: `${oftenWords(before)} → ${oftenWords(parsed.value)}` }),
        ...(kept === before.kept ? {} : { kept: `${before.kept} → ${kept}` }),
      },
    });
  });
  return succeed(await viewBackupSchedule(workshop));
}

function oftenWords({ everyDays }: BackupSchedule): string {
  switch (everyDays) {
    case null:
      return 'never';
    case 1:
      return 'every day';
    case 7:
      return 'every 7 days';
  }
}
