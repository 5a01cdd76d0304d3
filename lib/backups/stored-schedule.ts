import type pg from 'pg';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { storableJson } from '#lib/database/query-values.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import type { InstallationSetting } from '#lib/settings/installation-settings.ts';
import { nextBackupAt } from './next-backup.ts';
import {
  type BackupSchedule,
  type BackupScheduleView,
  backupScheduleInputSchema,
  backupScheduleSchema,
  type LastScheduled,
  lastScheduledSchema,
  type ScheduleFailure,
  scheduleFailureSchema,
} from './schema.ts';

const SETTING = 'backup_schedule';
const LAST = 'last_scheduled_backup';
const FAILURE = 'scheduled_backup_failure';

type StoredSchedule = {
  /** Null: nobody ever set it, so it is off. */
  setting: InstallationSetting<BackupSchedule> | null;
  last: LastScheduled | null;
  failure: ScheduleFailure | null;
};

/** The schedule of backups as it is set, the last one it made, and why there is no newer one. */
export async function findBackupSchedule({ prisma }: Pick<Database, 'prisma'>): Promise<StoredSchedule> {
  const rows = await prisma.installationSetting.findMany({ where: { key: { in: [SETTING, LAST, FAILURE] } } });
  const rowOf = (key: string) => rows.find((row) => row.key === key) ?? null;
  const setting = rowOf(SETTING);
  return {
    setting: setting && {
      value: backupScheduleSchema.parse(setting.value),
      updatedBy: setting.updatedBy,
      updatedAt: setting.updatedAt.toISOString(),
    },
    last: lastScheduledSchema.nullable().parse(rowOf(LAST)?.value ?? null),
    failure: scheduleFailureSchema.nullable().parse(rowOf(FAILURE)?.value ?? null),
  };
}

async function writeBackupSchedule(
  transaction: Prisma.TransactionClient,
  { value, updatedBy, now }: { value: BackupSchedule; updatedBy: string; now: Date },
): Promise<void> {
  const row = { value, updatedBy, updatedAt: now };
  await transaction.installationSetting.upsert({
    where: { key: SETTING },
    create: { key: SETTING, ...row },
    update: row,
  });
}

/** Stores which one was made last; what failed before is past. */
export async function writeLastScheduled(client: pg.PoolClient, last: LastScheduled): Promise<void> {
  await client.query('DELETE FROM installation_settings WHERE key = $1', [FAILURE]);
  await write(client, LAST, last, last.at);
}

export async function writeScheduleFailure({ pool }: Pick<Database, 'pool'>, failure: ScheduleFailure): Promise<void> {
  await write(pool, FAILURE, failure, failure.at);
}

async function write(
  connection: Pick<pg.Pool, 'query'>,
  key: string,
  value: LastScheduled | ScheduleFailure,
  at: string,
): Promise<void> {
  await connection.query(
    `INSERT INTO installation_settings (key, value, updated_by, updated_at) VALUES ($1, $2::jsonb, 'Hone', $3)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_by = excluded.updated_by, updated_at = excluded.updated_at`,
    [key, storableJson(value), at],
  );
}

/** The schedule of backups, the last one it made, when the next is due, and what stands in its way. */
export async function getBackupSchedule({
  database,
  now,
}: Pick<AppContext, 'database' | 'now'>): Promise<BackupScheduleView> {
  const { setting, last, failure } = await findBackupSchedule(database);
  const schedule = setting?.value ?? backupScheduleSchema.parse({});
  return {
    ...schedule,
    updatedBy: setting?.updatedBy ?? null,
    updatedAt: setting?.updatedAt ?? null,
    last,
    next: nextBackupAt({ schedule, last, failure }, now())?.toISOString() ?? null,
    failure: schedule.everyDays === null ? null : failure,
  };
}

/** Notes, in the caller's transaction, that the database came out of a backup. */
export const NOTE_RESTORED =
  "INSERT INTO facts (name, at) VALUES ('restored', now()) ON CONFLICT (name) DO UPDATE SET at = now()";

/** Whether the database came out of a backup and nobody has seen to it yet; who asks does. */
export async function takeRestoredFact(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rowCount } = await client.query("DELETE FROM facts WHERE name = 'restored'");
  return rowCount === 1;
}

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
