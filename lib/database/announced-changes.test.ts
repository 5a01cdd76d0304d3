import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { storeLesson } from '#lib/lessons/test-texts/stored-lesson.test-support.ts';
import { PRACTICE_SUMS, queuedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { CHANGES_CHANNEL, cacheUntilChanged, markChanged, startListening, stopListening } from './changes.ts';
import { listen } from './connections.ts';
import { closeDatabase, openDatabase } from './database.ts';

const db = useTestDatabase();
const closings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** Returns the kinds that `work` announces, without duplicates, in alphabetical order. */
async function announcedBy(work: () => Promise<unknown>): Promise<string[]> {
  const received = new Set<string>();
  const end = randomUUID();
  const stop = await listen(
    db.database(),
    [CHANGES_CHANNEL],
    (_, kind) => received.add(kind),
    () => undefined,
  );
  closings.push(stop);
  await work();
  await db.database().pool.query('SELECT pg_notify($1, $2)', [CHANGES_CHANNEL, end]);
  await expect.poll(() => received.has(end), { timeout: 5_000 }).toBe(true);
  return [...received].filter((kind) => kind !== end).sort();
}

const sql = (text: string) => () => db.database().pool.query(text);

describe('announced changes', () => {
  test.each([
    ['a provider', "INSERT INTO providers (name, kind, created_at) VALUES ('p', 'openai', now())", ['providers']],
    ['a price', `UPDATE providers SET prices = '{"m": {"input": 1}}'`, ['providers']],
    ['a deleted provider', 'DELETE FROM providers', ['providers']],
    [
      'a monthly budget',
      `INSERT INTO installation_settings (key, value, updated_by, updated_at) VALUES ('month_budget', '{}', 'Ada', now())`,
      ['limits'],
    ],
    [
      'a request to stop all runs',
      `INSERT INTO installation_settings (key, value, updated_by, updated_at) VALUES ('stop_all', '{}', 'Ada', now())`,
      ['limits', 'work'],
    ],
    [
      'a new process',
      `INSERT INTO app_processes (id, kind, host, process_id, version, slots, busy, started_at, seen_at) VALUES (gen_random_uuid(), 'web', 'h', 1, '1', 1, 0, now(), now())`,
      ['processes'],
    ],
    ['a process heartbeat', 'UPDATE app_processes SET seen_at = now()', []],
  ])('%s', async (_, text, kinds) => {
    expect(await announcedBy(sql(text))).toEqual(kinds);
  });

  test('announces lessons pending review and changes to the recalled fields of promoted ones, not usage counters', async () => {
    expect(await announcedBy(() => storeLesson(db.database(), { text: 'Count twice.' }))).toEqual(['work']);
    expect(await announcedBy(sql("UPDATE lessons SET status = 'promoted', admission = 'admitted'"))).toEqual([
      'lessons',
    ]);
    expect(await announcedBy(sql('UPDATE lessons SET helpful = helpful + 1, last_used_at = now()'))).toEqual([]);
    expect(await announcedBy(sql("UPDATE lessons SET text = 'Count three times.'"))).toEqual(['lessons']);
    expect(await announcedBy(sql("UPDATE lessons SET status = 'archived'"))).toEqual(['lessons']);
    expect(await announcedBy(sql('DELETE FROM lessons'))).toEqual([]);
  });

  test('announces the end of a run once, and a changed expiry of its pause', async () => {
    const context = testContext(db.database());
    const settings = { ...PRACTICE_SUMS, lessons: { write: 'off' as const } };
    const sum = { input: 'What is 11 + 21 × 6? Answer as Finish[number].', reference: '137' };
    const runId = await queuedRun(context, settings, sum);
    expect(await announcedBy(() => performRun(testWorkerContext(context), runId))).toEqual(['ended']);
    const later = sql("UPDATE runs SET pause_expires_at = '2100-01-01'");
    expect(await announcedBy(later)).toEqual(['work']);
    expect(await announcedBy(later)).toEqual([]);
  });
});

describe('cached reads', () => {
  /** Returns a cached read that counts its database reads. */
  function counted() {
    const database = openDatabase(db.connectionString, { maxConnections: 1 });
    closings.push(() => closeDatabase(database));
    let readCount = 0;
    const kept = cacheUntilChanged(database, ['limits'], async (_: string) => ++readCount);
    return { database, get: () => kept.get('key') };
  }

  test('stay cached until a change of their kind is announced', async () => {
    const { database, get } = counted();
    startListening(database);
    expect(await get()).toBe(1);
    await sleep(1_100);
    expect(await get()).toBe(1);
    markChanged(database, 'lessons');
    expect(await get()).toBe(1);
    markChanged(database, 'limits');
    expect([await get(), await get()]).toEqual([2, 2]);
  });

  test('expire after one second without a listener, and once changes may have been missed', async () => {
    const { database, get } = counted();
    expect([await get(), await get()]).toEqual([1, 1]);
    await sleep(1_100);
    expect(await get()).toBe(2);
    startListening(database);
    expect(await get()).toBe(2);
    await sleep(1_100);
    expect([await get(), await get()]).toEqual([3, 3]);
    stopListening(database);
    startListening(database);
    await sleep(1_100);
    expect(await get()).toBe(4);
  });

  test('are read again at once if the change was announced during the read', async () => {
    const { database } = counted();
    startListening(database);
    let readCount = 0;
    const slow = cacheUntilChanged(database, ['limits'], async (_: string) => {
      readCount++;
      markChanged(database, 'limits');
      return readCount;
    });
    expect([await slow.get('key'), await slow.get('key')]).toEqual([1, 2]);
  });
});

test('reports a broken connection before it reconnects', async () => {
  const database = openDatabase(db.connectionString, { maxConnections: 1 });
  closings.push(() => closeDatabase(database));
  const seen: string[] = [];
  const stop = await listen(
    database,
    [CHANGES_CHANNEL],
    () => undefined,
    () => seen.push('made again'),
    () => seen.push('broken'),
  );
  await db
    .database()
    .pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
    );
  await expect.poll(() => seen, { timeout: 5_000 }).toEqual(['broken', 'made again']);
  await stop();
  expect(seen).toEqual(['broken', 'made again']);
});
