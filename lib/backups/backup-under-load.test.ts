import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '#lib/database/database.ts';
import { dropDatabase } from '#lib/database/drop-database.test-support.ts';
import { openQueue } from '#lib/queue/queue.ts';
import { listRunEvents } from '#lib/runs/list-run-events.ts';
import { loadRun, type StoredRun } from '#lib/runs/load-run.ts';
import { unfinishedRunIds } from '#lib/runs/queued-work.ts';
import { withDatabase } from '#lib/testing/start-test-postgres.ts';
import {
  PRACTICE_SUMS,
  PRACTICE_WRITING,
  queuedRun,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { sendRestoredRuns } from '#lib/worker/take-over.ts';
import { backupKey } from './backup-manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

const db = useTestDatabase();
const folder = mkdtempSync(path.join(tmpdir(), 'hone-under-load-'));
const name = `restored_${randomUUID().replaceAll('-', '')}`;
const target = withDatabase(db.connectionString, name);
const key = backupKey(Buffer.alloc(32));
const RUNS = 24;
const WORKERS = 4;
let restored: Database | undefined;

beforeAll(() => db.database().pool.query(`CREATE DATABASE ${name}`));
afterAll(async () => {
  if (restored !== undefined) await closeDatabase(restored);
  await dropDatabase(db.database().pool, name);
  rmSync(folder, { recursive: true });
});

/** Performs runs continuously. Records for each backup the runs that had ended before it began. */
async function backUpWhileRunning(runIds: string[]) {
  const worker = testWorkerContext(testContext(db.database()));
  const waiting = [...runIds];
  const ended: string[] = [];
  const work = async () => {
    for (let runId = waiting.shift(); runId !== undefined; runId = waiting.shift()) {
      await performRun(worker, runId);
      ended.push(runId);
    }
  };
  const working = Promise.all(Array.from({ length: WORKERS }, work));
  const backups: { file: string; endedBefore: string[] }[] = [];
  while (ended.length < runIds.length) {
    const file = path.join(folder, `${backups.length}.backup`);
    const endedBefore = [...ended];
    unwrap(await writeBackup({ connectionString: db.connectionString, file, version: '1', key, now: new Date() }));
    backups.push({ file, endedBefore });
  }
  await working;
  return backups.filter(({ endedBefore }) => endedBefore.length > 0);
}

test('restores a backup taken under load completely, and its unfinished runs reach the same result', async () => {
  const context = testContext(db.database());
  const runIds: string[] = [];
  for (let number = 0; number < RUNS; number += 1) {
    const sum = { input: `What is ${number} + 21 × 6? Answer as Finish[number].`, reference: String(number + 126) };
    const text = { input: `Explain rate limit ${number} to a new user` };
    runIds.push(
      await queuedRun(context, ...(number % 2 ? ([PRACTICE_SUMS, sum] as const) : ([PRACTICE_WRITING, text] as const))),
    );
  }
  const [backup] = await backUpWhileRunning(runIds);
  if (backup === undefined) throw new Error('no backup was taken while runs were performed');
  const migrationsFolder = path.resolve('prisma/migrations');
  unwrap(
    await restoreBackup({
      connectionString: target,
      file: backup.file,
      migrationsFolder,
      replace: false,
      key,
      foreign: false,
    }),
  );
  const inUse = openDatabase(target, { maxConnections: 8 });
  restored = inUse;

  const unfinished = await unfinishedRunIds(inUse.prisma);
  expect(unfinished.length).toBeGreaterThan(0);
  expect(unfinished.filter((runId) => backup.endedBefore.includes(runId))).toEqual([]);
  await expectWhole(inUse, runIds);

  const queue = await openQueue(target, (error) => expect.fail(error.message));
  const sent = await Promise.all([1, 2, 3].map(() => sendRestoredRuns({ database: inUse, queue })));
  expect(sent.filter((count) => count !== null)).toEqual([unfinished.length]);
  const jobs = await inUse.pool.query("SELECT singleton_key FROM pgboss.job WHERE name = 'runs' AND state = 'created'");
  expect(jobs.rows.map((job) => job.singleton_key).sort()).toEqual([...unfinished].sort());
  await queue.stop(1);

  const worker = testWorkerContext(testContext(inUse));
  await Promise.all(unfinished.map((runId) => performRun(worker, runId)));
  expect(await unfinishedRunIds(inUse.prisma)).toEqual([]);
  await expectWhole(inUse, runIds);
  for (const runId of runIds)
    expect(outcomeOf(await loadRun(inUse, runId))).toEqual(outcomeOf(await loadRun(db.database(), runId)));
}, 120_000);

/** Checks that every run is readable and that its totals, events and journal are consistent. */
async function expectWhole(database: Database, runIds: string[]): Promise<void> {
  for (const runId of runIds) {
    const stored = await loadRun(database, runId);
    expect(stored?.run.id).toBe(runId);
    const events = await listRunEvents(database, runId, 0, 1_000);
    expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
    expect(events.length).toBe(stored?.run.eventNumber);
  }
  const { rows } = await database.pool.query(
    `SELECT r.number FROM runs r WHERE
       r.version_count <> (SELECT count(*) FROM reflection_versions v WHERE v.run_id = r.id)
       OR r.evaluation_count <> (SELECT count(*) FROM evaluations v WHERE v.run_id = r.id)
       OR r.call_count > (SELECT count(*) FROM model_calls c WHERE c.run_id = r.id)
       OR EXISTS (SELECT 1 FROM model_calls c WHERE c.run_id = r.id AND c.failure IS NULL
          GROUP BY c.step, c.ordinal, c.fingerprint HAVING count(*) > 1)`,
  );
  expect(rows).toEqual([]);
}

/** Returns the outcome of a run without ids and times. */
function outcomeOf(stored: StoredRun | null) {
  return {
    end: [stored?.run.status, stored?.run.convergenceReason, stored?.run.success],
    versions: stored?.history.versions.map(({ number, origin, output }) => ({ number, origin, output })),
    scores: stored?.history.evaluations.map(({ version, overallScore }) => ({ version, overallScore })),
    lessons: stored?.history.lessons.map(({ version, text }) => ({ version, text })),
  };
}
