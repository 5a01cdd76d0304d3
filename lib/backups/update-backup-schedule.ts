import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import {
  type BackupSchedule,
  type BackupScheduleView,
  backupScheduleInputSchema,
  backupScheduleSchema,
} from './schema.ts';
import { findBackupSchedule, getBackupSchedule, writeBackupSchedule } from './stored-schedule.ts';

/** Sets how often a backup is made and how many of these are kept; one that is due is made within a minute. Answers how it stands. */
export async function updateBackupSchedule(
  context: Pick<AppContext, 'database' | 'now'>,
  actor: Actor,
  input: unknown,
): Promise<Result<BackupScheduleView>> {
  const parsed = parseInput(backupScheduleInputSchema, input);
  if (!parsed.ok) return parsed;
  const { database, now } = context;
  const before = (await findBackupSchedule(database)).setting?.value ?? backupScheduleSchema.parse({});
  const { everyDays, kept } = parsed.value;
  await database.prisma.$transaction(async (transaction) => {
    await writeBackupSchedule(transaction, { value: parsed.value, updatedBy: actor.name, now: now() });
    await recordChange(transaction, actor, {
      act: 'changed',
      subject: { kind: 'setting', id: 'backup_schedule', name: 'Scheduled backups' },
      change: {
        ...(everyDays === before.everyDays ? {} : { made: `${oftenLabel(before)} → ${oftenLabel(parsed.value)}` }),
        ...(kept === before.kept ? {} : { kept: `${before.kept} → ${kept}` }),
      },
    });
  });
  return succeed(await getBackupSchedule(context));
}

function oftenLabel({ everyDays }: BackupSchedule): string {
  switch (everyDays) {
    case null:
      return 'never';
    case 1:
      return 'every day';
    case 7:
      return 'every 7 days';
  }
}
