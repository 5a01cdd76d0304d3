import { beforeAll, describe, expect, test } from 'vitest';
import { nextEvents } from '#lib/live/event-feed.ts';
import { PRACTICE_SUMS, queuedRun, testContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { readEventLines } from './event-lines.ts';
import { firstEventNumber, listRunEvents } from './list-run-events.ts';
import { loadRun } from './load-run.ts';
import { saveResults } from './save-results.ts';
import { EVENTS_IN_ROW } from './worker-queries.ts';

const db = useTestDatabase();
const SUM = { input: 'What is 11 + 21 × 6? Answer as Finish[number].', reference: '137' };
const NOW = new Date('2026-01-05T10:00:00.123Z');
/** Time of each save of three events, by a clock that goes backwards. */
const timeOf = (number: number) => new Date(NOW.getTime() - 1_000 * Math.floor((number - 1) / 3));

/** Saves `count` events, three at a time. Each holds its number and a text that is difficult to store. */
async function saveEvents(runId: string, count: number): Promise<void> {
  for (let saved = 0; saved < count; saved += 3) {
    const stored = await loadRun(db.database(), runId);
    if (stored === null) throw new Error('no run');
    const { run, settings, history } = stored;
    const events = Array.from({ length: Math.min(3, count - saved) }, (_, index) => ({
      type: 'failed' as const,
      data: { kind: `${run.eventNumber + index + 1}`, message: 'a "b"\u0000\\u0000 {c,NULL}' },
    }));
    const save = {
      runId,
      claim: run.claim,
      eventNumber: run.eventNumber,
      results: [],
      calls: [],
      deliveries: [],
      events,
    };
    const about = {
      history,
      settings,
      input: run.input,
      reference: run.reference,
      status: null,
      ending: null,
      now: timeOf(saved + 1),
    };
    expect(await saveResults(db.database().pool, [{ ...save, ...about }])).toEqual(new Set([runId]));
  }
}

const numbersOf = (events: { number: number }[]) => events.map(({ number }) => number);
const upTo = (last: number, first = 1) => Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
async function inRow(runId: string): Promise<number> {
  const run = await db.database().prisma.run.findUniqueOrThrow({ where: { id: runId }, select: { eventLines: true } });
  return readEventLines(run.eventLines).length;
}

describe.each([
  ['few', 4],
  ['as many as one row stores', EVENTS_IN_ROW],
  ['more than one row stores', EVENTS_IN_ROW * 2 + 7],
  ['more pages than one read needs', EVENTS_IN_ROW * 9],
])('run with %s events', (_name, count) => {
  let runId = '';
  beforeAll(async () => {
    runId = await queuedRun(testContext(db.database()), PRACTICE_SUMS, SUM);
    await saveEvents(runId, count);
  });

  test('reads all events in order, once each and unchanged', async () => {
    const events = await listRunEvents(db.database(), runId, 0, 1_000);
    expect(numbersOf(events)).toEqual(upTo(count));
    for (const { number, type, data, at } of events)
      expect({ type, data, at }).toEqual({
        type: 'failed',
        data: { kind: `${number}`, message: 'a "b"\uFFFD\\u0000 {c,NULL}' },
        at: timeOf(number),
      });
    expect(await firstEventNumber(db.database(), runId)).toBe(1);
    expect(await inRow(runId)).toBeLessThan(EVENTS_IN_ROW + 3);
  });

  test('reads events after a number, up to a limit', async () => {
    const page = await listRunEvents(db.database(), runId, 0, EVENTS_IN_ROW + 2);
    expect(numbersOf(page)).toEqual(upTo(count).slice(0, EVENTS_IN_ROW + 2));
    for (const after of [0, 1, EVENTS_IN_ROW - 1, EVENTS_IN_ROW, count - 1, count]) {
      expect(numbersOf(await listRunEvents(db.database(), runId, after, 1_000))).toEqual(upTo(count, after + 1));
      expect(numbersOf(await listRunEvents(db.database(), runId, after, 2))).toEqual(
        upTo(count, after + 1).slice(0, 2),
      );
    }
  });
});

test('lists events stored by earlier versions before newer ones', async () => {
  const runId = await queuedRun(testContext(db.database()), PRACTICE_SUMS, SUM);
  const { pool } = db.database();
  await pool.query(
    `INSERT INTO run_events (run_id, number, type, data, at) SELECT $1, n, 'evaluated', '{}', $2 FROM generate_series(1, 5) AS n`,
    [runId, NOW],
  );
  const inEarlierRow = [
    `[6,"output_made",{"version":1},${NOW.getTime()}]`,
    '[7,"evaluated",{"version":1,"score":0.5}]',
    `[8,"decided",{"decision":"continue","by":"policy"},${NOW.getTime() + 1}]`,
  ];
  await pool.query('UPDATE runs SET event_number = 8, events = $2 WHERE id = $1', [runId, inEarlierRow]);
  const early = await listRunEvents(db.database(), runId, 5, 1_000);
  expect(early).toEqual([
    { number: 6, type: 'output_made', data: { version: 1 }, at: NOW },
    { number: 7, type: 'evaluated', data: { version: 1, score: 0.5 }, at: NOW },
    { number: 8, type: 'decided', data: { decision: 'continue', by: 'policy' }, at: new Date(NOW.getTime() + 1) },
  ]);
  expect(await firstEventNumber(db.database(), runId)).toBe(1);

  await saveEvents(runId, EVENTS_IN_ROW + 4);
  const events = await listRunEvents(db.database(), runId, 0, 1_000);
  expect(nextEvents(0, events)).toEqual(events);
  expect(numbersOf(events)).toEqual(upTo(EVENTS_IN_ROW + 12));
  expect(events.slice(5, 8)).toEqual(early);
  expect(numbersOf(await listRunEvents(db.database(), runId, 3, 3))).toEqual([4, 5, 6]);
  expect(numbersOf(await listRunEvents(db.database(), runId, 6, 4))).toEqual([7, 8, 9, 10]);
  expect(await firstEventNumber(db.database(), runId)).toBe(1);
});
