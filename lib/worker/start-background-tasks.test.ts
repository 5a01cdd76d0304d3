import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { type ChangeKind, markChanged, startListening } from '#lib/database/changes.ts';
import { closeDatabase, openDatabase } from '#lib/database/database.ts';
import { lessonOf, storeLesson } from '#lib/lessons/test-texts/stored-lesson.test-support.ts';
import { countSettledRuns } from '#lib/runs/run-measures.ts';
import type { BackgroundWork } from '#lib/runs/worker-queries.ts';
import { PRACTICE_SUMS, queuedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';
import { hasBackgroundWork, watchAdmission, watchUnmeasuredRuns } from './start-background-tasks.ts';

const db = useTestDatabase();
const KINDS: readonly BackgroundWork[] = [
  'pauses',
  'deliveries',
  'lessons',
  'texts',
  'runTotals',
  'lessonTotals',
  'stopAll',
];

/** Returns the kinds of work found by a process on its first check. */
async function foundNow(): Promise<BackgroundWork[]> {
  const database = openDatabase(db.connectionString, { maxConnections: 1 });
  const found = await Promise.all(KINDS.map(async (kind) => ((await hasBackgroundWork(database, kind)) ? [kind] : [])));
  await closeDatabase(database);
  return found.flat();
}

test('finds each kind of waiting work', async () => {
  const { pool } = db.database();
  expect(await foundNow()).toEqual([]);
  const context = testContext(db.database());
  const sum = { input: 'What is 11 + 21 × 6? Answer as Finish[number].', reference: '137' };
  const runId = await queuedRun(context, PRACTICE_SUMS, sum);
  await performRun(testWorkerContext(context), runId);
  expect(await foundNow()).not.toContain('texts');
  await pool.query('UPDATE run_measures SET searched = false');
  expect(await foundNow()).toContain('texts');
  await pool.query('UPDATE run_measures SET searched = true');
  expect(await foundNow()).toContain('runTotals');
  await countSettledRuns(db.database(), new Date());
  await pool.query("UPDATE lessons SET admission = 'admitted'");
  expect(await foundNow()).toEqual([]);
  await storeLesson(db.database(), { text: 'Count twice.' });
  expect(await foundNow()).toEqual(['lessons']);
  await pool.query("UPDATE runs SET pause_expires_at = now() - interval '1 second'");
  await countSettledRuns(db.database(), new Date());
  expect(await foundNow()).toEqual(['pauses', 'lessons']);
  await pool.query(
    `INSERT INTO installation_settings (key, value, updated_by, updated_at) VALUES ('stop_all', '{"id": "1"}', 'Ada', now())`,
  );
  expect(await foundNow()).toEqual(['pauses', 'lessons', 'stopAll']);
  await pool.query(`UPDATE installation_settings SET value = value || '{"doneAt": "now"}'`);
  expect(await foundNow()).toEqual(['pauses', 'lessons']);
});

describe('queries by a process that listens for changes', () => {
  /** Returns the number of queries in the given time while every kind is checked repeatedly and `kind` is announced once. */
  async function askedBy(kind: ChangeKind | null, duringMs: number): Promise<number> {
    const database = openDatabase(db.connectionString, { maxConnections: 1 });
    await database.pool.query("UPDATE lessons SET admission = 'admitted'");
    await database.pool.query('UPDATE runs SET pause_expires_at = NULL');
    const asked = vi.spyOn(database.pool, 'query');
    startListening(database);
    const startedMs = performance.now();
    for (let isAnnounced = false; performance.now() - startedMs < duringMs; ) {
      await Promise.all(KINDS.map((one) => hasBackgroundWork(database, one)));
      if (kind !== null && !isAnnounced) markChanged(database, kind);
      isAnnounced = true;
      await sleep(50);
    }
    await closeDatabase(database);
    return asked.mock.calls.length;
  }

  test.each([
    ['nothing', null, 2_000, 1],
    ['new work', 'work', 2_000, 2],
    ['an ended run, which is checked later', 'ended', 2_000, 1],
    ['an ended run, after the delay', 'ended', 5_500, 2],
  ] as const)('after an announcement of %s', { timeout: 15_000 }, async (_, kind, duringMs, times) => {
    expect(await askedBy(kind, duringMs)).toBe(times);
  });
});

test('reports found work once per second', async () => {
  const database = openDatabase(db.connectionString, { maxConnections: 1 });
  await storeLesson(database, { text: 'Count on both hands.' });
  expect(await hasBackgroundWork(database, 'lessons')).toBe(true);
  expect(await hasBackgroundWork(database, 'lessons')).toBe(false);
  await sleep(1_000);
  expect(await hasBackgroundWork(database, 'lessons')).toBe(true);
  await closeDatabase(database);
});

test('finds a pause that expires between checks at its expiry', async () => {
  const database = openDatabase(db.connectionString, { maxConnections: 1 });
  startListening(database);
  await database.pool.query("UPDATE runs SET pause_expires_at = now() + interval '1.5 seconds'");
  const startedMs = performance.now();
  await expect.poll(() => hasBackgroundWork(database, 'pauses'), { timeout: 5_000 }).toBe(true);
  expect(performance.now() - startedMs).toBeGreaterThan(1_400);
  await closeDatabase(database);
});

test('checks all kinds with one statement, at most once a second', async () => {
  const database = openDatabase(db.connectionString, { maxConnections: 2 });
  const asked = vi.spyOn(database.pool, 'query');
  await Promise.all(KINDS.map((kind) => hasBackgroundWork(database, kind)));
  expect(asked).toHaveBeenCalledTimes(1);
  const named = (name: string) =>
    asked.mock.calls.filter(([query]) => JSON.stringify(query).includes(`"${name}"`)).length;
  const stop = watchUnmeasuredRuns(testContext(database), 5);
  const startedMs = performance.now();
  await vi.waitFor(() => expect(named('work-beside')).toBeGreaterThan(3), 15_000);
  await stop();
  // The first result was queried earlier and stays cached for a while.
  expect(named('work-beside')).toBeLessThanOrEqual(2 + (performance.now() - startedMs) / 900);
  await closeDatabase(database);
});

const statusOf = async (id: string) => (await lessonOf(db.database(), id)).status;

test('admits lessons soon after they are stored, until stopped', async () => {
  const stop = watchAdmission(testContext(db.database()), 10);
  const first = await storeLesson(db.database(), { text: 'Measure before you cut.' });
  await vi.waitFor(async () => expect(await statusOf(first)).toBe('quarantined'), 5_000);
  const second = await storeLesson(db.database(), { text: 'Open with the result.' });
  await vi.waitFor(async () => expect(await statusOf(second)).toBe('quarantined'), 5_000);
  await stop();
  const third = await storeLesson(db.database(), { text: 'Name the reader.' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await statusOf(third)).toBe('candidate');
});
