import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '#lib/database/database.ts';
import { ADVISORY_LOCKS } from '#lib/database/locks.ts';
import { getLog, type Log, setLog } from '#lib/log/log.ts';
import { judgeHealth, readSlowFacts } from '#lib/monitoring/find-health.ts';
import { openQueue, type Queue } from '#lib/queue/queue.ts';
import { AUDIT_FAILURE, whileAuditFails } from '#lib/testing/failing-audit.test-support.ts';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { watchBackupSchedule } from '#lib/worker/watch-backup-schedule.ts';
import type { BackupContext } from './backup-context.ts';
import { listBackups, newBackupFile } from './backup-folder.ts';
import { backupKey } from './backup-manifest.ts';
import { getBackupSchedule, updateBackupSchedule } from './backup-schedule.ts';
import { createBackup, createScheduledBackup } from './create-backup.ts';
import { inspectBackup } from './inspect-backup.ts';

const db = useTestDatabase();
const DAY_MS = 86_400_000;
const MINUTE = 1 / 1440;
const START_MS = Date.now();

// The health check also reads the queue.
let queue: Queue;
beforeAll(async () => {
  queue = await openQueue(db.connectionString, (error) => expect.fail(error.message));
});
afterAll(() => queue.stop(1));

let parent = '';
let backups: BackupContext;
let log: Log;
let errors: string[] = [];
let firstLine = 0;
beforeEach(async () => {
  parent = mkdtempSync(path.join(tmpdir(), 'hone-scheduled-'));
  backups = contextIn('backups');
  log = getLog();
  errors = [];
  setLog({ ...log, info: () => undefined, error: (line) => errors.push(line) });
  const { pool } = db.database();
  await pool.query('DELETE FROM installation_settings');
  firstLine = (await pool.query('SELECT coalesce(max(id), 0)::int AS last FROM audit_entries')).rows[0].last;
});
afterEach(() => {
  setLog(log);
  rmSync(parent, { recursive: true });
});

/** A web process with its own data directory. */
function contextIn(folder: string): BackupContext {
  return {
    folder: path.join(parent, folder),
    connectionString: db.connectionString,
    version: '1',
    key: backupKey(Buffer.alloc(32)),
    state: { makingSince: null, failure: null },
    signal: new AbortController().signal,
  };
}

/** Returns a context whose clock is that many days after the start. */
function contextOn(day: number) {
  return { ...testContext(db.database()), now: () => new Date(START_MS + day * DAY_MS) };
}

const schedule = (input: unknown) => updateBackupSchedule(contextOn(0), TESTER, input);
const makeOn = (day: number) => createScheduledBackup(contextOn(day), backups);
const scheduledIn = ({ folder }: BackupContext) =>
  listBackups(folder)
    .filter(({ reason }) => reason === 'scheduled')
    .map(({ name }) => name);

const reasonsThere = () =>
  listBackups(backups.folder)
    .map(({ reason }) => reason)
    .sort();

/** Returns the audit log lines since the test began, for example `Hone created backup`. */
async function audit(): Promise<string[]> {
  const { rows } = await db
    .database()
    .pool.query<{ line: string }>(
      "SELECT actor || ' ' || act || ' ' || subject_kind AS line FROM audit_entries WHERE id > $1 ORDER BY id",
      [firstLine],
    );
  return rows.map(({ line }) => line);
}

async function warnings(): Promise<string[]> {
  const rest = await readSlowFacts(db.database());
  return judgeHealth({
    databaseAnswers: true,
    worker: 'working',
    trouble: null,
    rest,
    disk: null,
    isDatabaseOnDisk: true,
  }).warnings;
}

describe('backup schedule', () => {
  test('is off by default', async () => {
    expect(await getBackupSchedule(contextOn(900))).toEqual({
      everyDays: null,
      kept: 7,
      updatedBy: null,
      updatedAt: null,
      last: null,
      next: null,
      failure: null,
    });
    expect(await makeOn(900)).toBe(false);
    expect(listBackups(backups.folder)).toEqual([]);
  });

  test.each([
    [{ everyDays: 2 }, 'everyDays', 'must be 1 (every day), 7 (every 7 days) or null (no backup by schedule), got 2'],
    [{ everyDays: '1' }, 'everyDays', 'got "1"'],
    [{ everyDays: 1, kept: 0 }, 'kept', 'must be a whole number from 1 to 365, got 0'],
    [{ everyDays: 1, kept: 366 }, 'kept', 'got 366'],
    [{ everyDays: 1, kept: 2.5 }, 'kept', 'got 2.5'],
    [{ everyDays: 1, kept: 7, hour: 3 }, 'hour', 'is not a known setting'],
    [{}, 'everyDays', 'null (no backup by schedule), got nothing'],
    [{ everyDays: 7 }, 'kept', 'got nothing'],
  ])('refuses %j', async (input, field, message) => {
    const refused = await schedule(input);
    expect(refused).toMatchObject({ ok: false, problem: { field, message: expect.stringContaining(message) } });
    expect(await audit()).toEqual([]);
  });

  test('keeps the fields of two owners who each save one', async () => {
    await schedule({ everyDays: 1, kept: 7 });
    const changes = [{ everyDays: 7 }, { kept: 30 }];
    for (const changed of await Promise.all(
      changes.map((change) => updateBackupSchedule(contextOn(0), TESTER, change, { isPartial: true })),
    ))
      unwrap(changed);
    expect(await getBackupSchedule(contextOn(0))).toMatchObject({ everyDays: 7, kept: 30 });
  });

  test('writes the previous schedule to the audit log', async () => {
    unwrap(await schedule({ everyDays: 1, kept: 3 }));
    unwrap(await schedule({ everyDays: 7, kept: 3 }));
    unwrap(await schedule({ everyDays: null, kept: 7 }));
    const { rows } = await db
      .database()
      .pool.query('SELECT change FROM audit_entries WHERE id > $1 ORDER BY id', [firstLine]);
    expect(rows.map(({ change }) => change)).toEqual([
      { made: 'never → every day', kept: '7 → 3' },
      { made: 'every day → every 7 days' },
      { made: 'every 7 days → never', kept: '3 → 7' },
    ]);
  });
});

describe('scheduled backup', () => {
  test('is created when due, complete, once after a downtime, and recorded as created by Hone', async () => {
    expect(unwrap(await schedule({ everyDays: 1, kept: 7 })).next).toBe(contextOn(0).now().toISOString());
    expect(await makeOn(0)).toBe(true);
    const [first = ''] = scheduledIn(backups);
    expect(await inspectBackup(path.join(backups.folder, first), backups.key)).toMatchObject({ ok: true });
    expect(await getBackupSchedule(contextOn(0.5))).toMatchObject({
      last: { at: contextOn(0).now().toISOString(), name: first, host: hostname(), folder: backups.folder },
      next: contextOn(1).now().toISOString(),
      failure: null,
    });
    expect(await makeOn(1 - MINUTE)).toBe(false);
    expect(await makeOn(1)).toBe(true);
    expect(await makeOn(31)).toBe(true);
    expect(await makeOn(31 + MINUTE)).toBe(false);
    expect(scheduledIn(backups)).toHaveLength(3);
    expect(await audit()).toEqual(['Tester changed setting', ...Array<string>(3).fill('Hone created backup')]);
    unwrap(await schedule({ everyDays: 7, kept: 7 }));
    expect([await makeOn(37), await makeOn(38)]).toEqual([false, true]);
    expect(errors).toEqual([]);
  });

  test('deletes only the oldest scheduled backups beyond the number kept', async () => {
    unwrap(await schedule({ everyDays: 1, kept: 2 }));
    for (const reason of ['asked', 'migration', 'restore', 'upgrade'] as const)
      writeFileSync(newBackupFile(backups.folder, new Date(START_MS - 90 * DAY_MS), reason), '');
    const names: string[] = [];
    for (const day of [0, 1, 2, 3]) {
      expect(await makeOn(day)).toBe(true);
      names.unshift(scheduledIn(backups)[0] ?? '');
      expect(scheduledIn(backups)).toEqual(names.slice(0, 2));
    }
    expect(reasonsThere()).toEqual(['asked', 'migration', 'restore', 'scheduled', 'scheduled', 'upgrade']);
    expect((await audit()).filter((line) => line === 'Hone deleted backup')).toHaveLength(2);
    unwrap(await schedule({ everyDays: 1, kept: 1 }));
    expect(scheduledIn(backups)).toHaveLength(2);
    await makeOn(4);
    expect(scheduledIn(backups)).toHaveLength(1);
  });

  test('reports why it failed, deletes no backup, and is retried later', async () => {
    unwrap(await schedule({ everyDays: 1, kept: 1 }));
    await makeOn(0);
    const before = scheduledIn(backups);
    const lines = await audit();
    const whole = backups.connectionString;
    backups.connectionString = whole.replace(/\/test_\w+/, '/there_is_none');
    expect(await makeOn(1)).toBe(true);
    const failure = { host: hostname(), message: expect.stringContaining('there_is_none'), tries: 1 };
    expect(await getBackupSchedule(contextOn(1))).toMatchObject({
      next: contextOn(1 + 15 * MINUTE)
        .now()
        .toISOString(),
      failure,
    });
    expect(await makeOn(1 + 14 * MINUTE)).toBe(false);
    expect(await makeOn(1 + 15 * MINUTE)).toBe(true);
    expect(await makeOn(1 + 44 * MINUTE)).toBe(false);
    expect(await warnings()).toEqual([expect.stringMatching(/^The scheduled backup on .*there_is_none.* 2 times/)]);
    expect(errors).toEqual([expect.stringContaining('there_is_none'), expect.stringContaining('there_is_none')]);
    expect([scheduledIn(backups), await audit()]).toEqual([before, lines]);

    backups.connectionString = whole;
    expect(await makeOn(1 + 45 * MINUTE)).toBe(true);
    expect(await getBackupSchedule(contextOn(2))).toMatchObject({
      last: {
        at: contextOn(1 + 45 * MINUTE)
          .now()
          .toISOString(),
      },
      failure: null,
    });
    expect(scheduledIn(backups)).not.toEqual(before);
    expect(scheduledIn(backups)).toHaveLength(1);
    expect(await warnings()).toEqual([]);
  });

  test('warns about an unwritable folder until the schedule is turned off', async () => {
    unwrap(await schedule({ everyDays: 7, kept: 7 }));
    writeFileSync(backups.folder, '');
    expect(await makeOn(0)).toBe(true);
    expect(await warnings()).toEqual([expect.stringContaining(`The backup could not be created in ${backups.folder}`)]);
    unwrap(await schedule({ everyDays: null, kept: 7 }));
    expect(await warnings()).toEqual([]);
    expect(await getBackupSchedule(contextOn(0))).toMatchObject({ failure: null, next: null });
  });

  test('counts only once it is recorded, and deletes no backup before', async () => {
    unwrap(await schedule({ everyDays: 1, kept: 1 }));
    await makeOn(0);
    const { last } = await getBackupSchedule(contextOn(1));
    await whileAuditFails(db.database(), () => makeOn(1));
    expect(await getBackupSchedule(contextOn(1))).toMatchObject({
      last,
      failure: { message: `${AUDIT_FAILURE}.`, tries: 1 },
    });
    expect(scheduledIn(backups)).toContain(last?.name);
    await makeOn(1.5);
    expect(scheduledIn(backups)).toHaveLength(1);
  });

  test('is created by only one of several processes', async () => {
    unwrap(await schedule({ everyDays: 1, kept: 7 }));
    const processes = [backups, ...['one', 'two', 'three'].map(contextIn)];
    const made = await Promise.all(processes.map((one) => createScheduledBackup(contextOn(0), one)));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(processes.flatMap(scheduledIn)).toHaveLength(1);
    expect(await audit()).toEqual(['Tester changed setting', 'Hone created backup']);
  });

  test('is not created again by a process that saw it due earlier', async () => {
    unwrap(await schedule({ everyDays: 1, kept: 7 }));
    const narrow = openDatabase(db.connectionString, { maxConnections: 2 });
    const taken = [await narrow.pool.connect(), await narrow.pool.connect()];
    const database = { ...db.database(), pool: narrow.pool };
    const late = createScheduledBackup({ ...contextOn(0), database }, contextIn('late'));
    await expect.poll(() => narrow.pool.waitingCount).toBe(1);
    const made = await makeOn(0);
    for (const client of taken) client.release();
    expect([made, await late]).toEqual([true, false]);
    await closeDatabase(narrow);
  });

  test('is not started while another process holds the lock', async () => {
    unwrap(await schedule({ everyDays: 1, kept: 7 }));
    const client = await db.database().pool.connect();
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.backupSchedule]);
    const made = await makeOn(0);
    await client.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.backupSchedule]);
    client.release();
    expect([made, await makeOn(0)]).toEqual([false, true]);
  });

  test('does not run at the same time as a manual backup in one process', async () => {
    unwrap(await schedule({ everyDays: 1, kept: 7 }));
    const asking = createBackup(contextOn(0), TESTER, backups);
    expect(await makeOn(0)).toBe(false);
    unwrap(await asking);
    await expect.poll(() => backups.state.makingSince).toBeNull();
    const making = makeOn(0);
    await expect.poll(() => backups.state.makingSince, { interval: 1 }).not.toBeNull();
    expect(await createBackup(contextOn(0), TESTER, backups)).toMatchObject({ problem: { code: 'conflict' } });
    expect(await making).toBe(true);
    expect(reasonsThere()).toEqual(['asked', 'scheduled']);
  });
});

describe('watchBackupSchedule', () => {
  test('creates a due backup until it is stopped', async () => {
    const stop = watchBackupSchedule(testContext(db.database()), backups, 10);
    await sleep(50);
    expect(scheduledIn(backups)).toEqual([]);
    unwrap(await schedule({ everyDays: 1, kept: 7 }));
    await expect
      .poll(() => getBackupSchedule(contextOn(0)), { timeout: 10_000 })
      .toMatchObject({
        last: { folder: backups.folder },
      });
    await stop();
    expect(scheduledIn(backups)).toHaveLength(1);
  });

  test('aborts the backup in progress when stopped, and leaves no file', async () => {
    unwrap(await schedule({ everyDays: 1, kept: 7 }));
    const stop = watchBackupSchedule(testContext(db.database()), backups, 10);
    await expect.poll(() => backups.state.makingSince, { interval: 1 }).not.toBeNull();
    await stop();
    expect(readdirSync(backups.folder)).toEqual([]);
    expect(await getBackupSchedule(contextOn(0))).toMatchObject({ last: null, failure: null });
    expect(errors).toEqual([]);
  });

  test('makes only one attempt while the failure persists', async () => {
    unwrap(await schedule({ everyDays: 1, kept: 7 }));
    writeFileSync(backups.folder, '');
    const stop = watchBackupSchedule(testContext(db.database()), backups, 10);
    await expect.poll(() => errors).toHaveLength(1);
    await sleep(300);
    await stop();
    expect(errors).toHaveLength(1);
  });

  test('makes only one attempt if the failure cannot be stored', async () => {
    const { pool } = db.database();
    unwrap(await schedule({ everyDays: 1, kept: 7 }));
    writeFileSync(backups.folder, '');
    await pool.query(
      `ALTER TABLE installation_settings ADD CONSTRAINT full_disk CHECK (key <> 'scheduled_backup_failure')`,
    );
    const stop = watchBackupSchedule(testContext(db.database()), backups, 10);
    await expect.poll(() => errors).toContain('scheduled backup');
    await sleep(300);
    await stop();
    await pool.query('ALTER TABLE installation_settings DROP CONSTRAINT full_disk');
    expect(errors).toEqual([expect.stringContaining('The backup could not be created'), 'scheduled backup']);
  });
});
