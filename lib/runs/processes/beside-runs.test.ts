import { expect, test, vi } from 'vitest';
import { closeDatabase, openDatabase } from '#lib/db/database.ts';
import { countSettledRuns } from '#lib/db/run-totals.ts';
import { useTestDatabase } from '#lib/db/test-database.ts';
import { hasWorkBeside, type WorkBeside } from '#lib/db/work-beside.ts';
import { keepMeasuring } from '../keep-measuring.ts';
import { storeLesson } from '../lessons/stored-lesson.test-support.ts';
import { performRun } from '../perform-run.ts';
import { PRACTICE_SUMS, queuedRun, testBench, testWorkshop } from '../test-workshop.ts';

const db = useTestDatabase();
const KINDS: readonly WorkBeside[] = [
  'pauses',
  'deliveries',
  'lessons',
  'texts',
  'runTotals',
  'lessonTotals',
  'stopAll',
];

/** As a process sees it that looks for the first time. */
async function foundNow(): Promise<WorkBeside[]> {
  const database = openDatabase(db.connectionString, { maxConnections: 1 });
  const found = await Promise.all(KINDS.map(async (kind) => ((await hasWorkBeside(database, kind)) ? [kind] : [])));
  await closeDatabase(database);
  return found.flat();
}

test('each kind of work is found while it waits', async () => {
  const { pool } = db.database();
  expect(await foundNow()).toEqual([]);
  const workshop = testWorkshop(db.database());
  const sum = { input: 'What is 11 + 21 × 6? Answer as Finish[number].', reference: '137' };
  const runId = await queuedRun(workshop, PRACTICE_SUMS, sum);
  await performRun(testBench(workshop), runId);
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

test('all kinds cost one statement, and are asked for again once a second at most', async () => {
  const database = openDatabase(db.connectionString, { maxConnections: 2 });
  const asked = vi.spyOn(database.pool, 'query');
  await Promise.all(KINDS.map((kind) => hasWorkBeside(database, kind)));
  expect(asked).toHaveBeenCalledTimes(1);
  const named = (name: string) =>
    asked.mock.calls.filter(([query]) => JSON.stringify(query).includes(`"${name}"`)).length;
  const stop = keepMeasuring(testWorkshop(database), 5);
  const startedMs = performance.now();
  await vi.waitFor(() => expect(named('work-beside')).toBeGreaterThan(3), 15_000);
  await stop();
  // The first was asked before, and holds for a while.
  expect(named('work-beside')).toBeLessThanOrEqual(2 + (performance.now() - startedMs) / 900);
  await closeDatabase(database);
});
