import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { Database } from '#lib/database/database.ts';
import { claimRun } from '#lib/runs/claim-run.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { listRunEvents } from '#lib/runs/list-run-events.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import type { Save, SavedEnding } from '#lib/runs/save.ts';
import {
  PRACTICE_SUMS,
  PRACTICE_WRITING,
  queuedRun,
  testContext,
  testWorkerContext,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { groupSaves } from './group-saves.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const SUM = { input: 'What is 11 + 21 × 6? Answer as Finish[number].', reference: '137' };
const TEXT = { input: 'Explain our rate limits to a new user' };

/** The database, and the number of saves in each statement. */
function watched(): { database: Database; sizes: number[] } {
  const sizes: number[] = [];
  const database = db.database();
  const pool: Database['pool'] = new Proxy(database.pool, {
    get: (target, key) => {
      if (key !== 'query') return Reflect.get(target, key);
      return (query: { name?: string; values?: unknown[] } | string, ...rest: unknown[]) => {
        const ids = typeof query === 'object' && query.name?.startsWith('save-results') ? query.values?.[0] : null;
        if (Array.isArray(ids)) sizes.push(ids.length);
        return Reflect.apply(target.query, target, [query, ...rest]);
      };
    },
  });
  return { database: { ...database, pool }, sizes };
}

/** Claims a run and returns the save of its first event. */
async function claimedSave(): Promise<Save> {
  const runId = await queuedRun(testContext(db.database()), PRACTICE_SUMS, SUM);
  const claimed = await claimRun(db.database(), runId, new Date());
  if (claimed === null || claimed === 'held' || claimed.untouched === null) throw new Error('the run is new');
  const { run, settings, history } = claimed.untouched;
  return {
    runId,
    claim: claimed.claim.claim,
    eventNumber: run.eventNumber,
    results: [],
    calls: [],
    deliveries: [],
    events: [{ type: 'output_made', data: { version: 0 } }],
    history,
    settings,
    input: run.input,
    reference: run.reference,
    status: null,
    ending: null,
    now: new Date(),
  };
}

async function claimedSaves(count: number): Promise<[Save, Save, Save, Save]> {
  const saves = await Promise.all(Array.from({ length: count }, claimedSave));
  return saves as [Save, Save, Save, Save];
}

/** Nothing ever waits for the save. */
const NEVER = () => new Promise<void>(() => undefined);

async function eventsOf(runId: string): Promise<number> {
  return (await loadRun(db.database(), runId))?.run.eventNumber ?? -1;
}

describe('concurrent saves', () => {
  test('are grouped into few statements, with a separate result and record for each run', async () => {
    const { database, sizes } = watched();
    const save = groupSaves(database);
    const saves = await Promise.all(Array.from({ length: 12 }, claimedSave));
    const outcomes = await Promise.all(saves.map((one) => save(one)));
    expect(outcomes).toEqual(saves.map(() => 'saved'));
    expect(sizes.length).toBeLessThan(5);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(12);
    for (const { runId } of saves) expect(await eventsOf(runId)).toBe(1);
  });

  test('saves that delay nothing wait for each other, and share the statement of a save that is due', async () => {
    const { database, sizes } = watched();
    const save = groupSaves(database);
    const [first, second, third, last] = await claimedSaves(4);
    // All are sent in the same moment, because a save waits only if another run was saved just before.
    const begun = save(first);
    const inTime: string[] = [];
    const waiting = [second, third].map((one) => save(one, NEVER()).then(() => inTime.push('waiting')));
    await save(last).then(() => inTime.push('due'));
    await Promise.all([begun, ...waiting]);
    expect(sizes).toEqual([1, 3]);
    expect(inTime).toHaveLength(3);
  });

  test('a save that delays nothing is sent when its time is over, or when something waits for it', async () => {
    const { database, sizes } = watched();
    const save = groupSaves(database);
    const [first, second, third] = await claimedSaves(3);
    await save(first);
    expect(await save(second, NEVER())).toBe('saved');
    const due = Promise.withResolvers<void>();
    let isSaved = false;
    const waiting = save(third, due.promise).then(() => {
      isSaved = true;
    });
    due.resolve();
    await waiting;
    expect([isSaved, sizes]).toEqual([true, [1, 1, 1]]);
  });

  test('a save waits for no other run that has ended or was not saved just before', async () => {
    const { database, sizes } = watched();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const save = groupSaves(database);
    const [alone, ended] = await claimedSaves(2);
    const ending: SavedEnding = {
      reason: 'quality_met',
      alsoHeld: [],
      success: true,
      finalVersion: 0,
      endedAt: new Date().toISOString(),
    };
    timers.mockClear();
    await save(alone, NEVER());
    await save({ ...ended, status: 'finished', ending });
    await save({ ...alone, eventNumber: alone.eventNumber + 1 }, NEVER());
    expect(timers.mock.calls.filter(([, ms]) => ms === 25)).toEqual([]);
    expect(sizes).toEqual([1, 1, 1]);
    timers.mockRestore();
  });

  test('a rejected save does not affect the others in its group', async () => {
    const save = groupSaves(db.database());
    const [good, stale, lost, removed] = await Promise.all([
      claimedSave(),
      claimedSave(),
      claimedSave(),
      claimedSave(),
    ]);
    await claimRun(db.database(), lost.runId, new Date());
    await db.database().pool.query('DELETE FROM runs WHERE id = $1', [removed.runId]);
    const outcomes = await Promise.all([
      save(good),
      save({ ...stale, eventNumber: 7 }),
      save(lost),
      save(removed),
      save({ ...good, eventNumber: good.eventNumber + 1 }),
    ]);
    expect(outcomes).toEqual(['saved', 'stale', 'lost', 'lost', 'saved']);
    expect(await eventsOf(good.runId)).toBe(2);
    expect(await eventsOf(stale.runId)).toBe(0);
  });

  test('two saves of one run keep their order, regardless of how long others take', async () => {
    const { database } = watched();
    let slow = true;
    const pool: Database['pool'] = new Proxy(database.pool, {
      get: (target, key) => {
        if (key !== 'query') return Reflect.get(target, key);
        return async (...query: unknown[]) => {
          if (slow) {
            slow = false;
            await sleep(150);
          }
          return Reflect.apply(target.query, target, query);
        };
      },
    });
    const save = groupSaves({ ...database, pool });
    const [first, other] = await Promise.all([claimedSave(), claimedSave()]);
    const next = (of: Save) => ({ ...of, eventNumber: of.eventNumber + 1 });
    const outcomes = await Promise.all([save(first), save(other), save(next(first)), save(next(other))]);
    expect(outcomes).toEqual(['saved', 'saved', 'saved', 'saved']);
    expect(await eventsOf(first.runId)).toBe(2);
    expect(await eventsOf(other.runId)).toBe(2);
  });

  test('a save that the database cannot store fails alone', async () => {
    const save = groupSaves(db.database());
    const saves = await Promise.all(Array.from({ length: 4 }, claimedSave));
    const [, second, bad] = saves;
    if (second === undefined || bad === undefined) throw new Error('four were made');
    const broken = { ...bad, history: { ...bad.history, step: Number.NaN } };
    const outcomes = await Promise.allSettled(saves.map((one) => save(one === bad ? broken : one)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await eventsOf(second.runId)).toBe(1);
    expect(await eventsOf(bad.runId)).toBe(0);
  });

  test('splits large texts into several statements', async () => {
    const { database, sizes } = watched();
    const save = groupSaves(database);
    const long = 'x'.repeat(2_500_000);
    const call = {
      step: 0,
      ordinal: 0,
      fingerprint: 'f',
      role: 'generate',
      provider: 'practice',
      model: 'practice-1',
      instructions: '',
      prompt: 'p',
      options: { temperature: null, maxOutputTokens: null, output: null },
      text: long,
      finishReason: 'stop',
      failure: null,
      inputTokens: 1,
      outputTokens: 2,
      costUsd: null,
      latencyMs: 1,
      attempts: 1,
      warnings: [],
      createdAt: new Date().toISOString(),
    };
    const saves = await Promise.all(Array.from({ length: 6 }, claimedSave));
    await Promise.all(saves.map((one) => save({ ...one, calls: [call] })));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2);
    for (const { runId } of saves) {
      expect((await listModelCalls(db.database(), runId))[0]?.text).toHaveLength(long.length);
      expect((await loadRun(db.database(), runId))?.run).toMatchObject({
        tokenUsage: { input: 1, output: 2, total: 3 },
        unpriced: true,
      });
    }
  });

  test('a locked run does not block a later save of another run', async () => {
    const save = groupSaves(db.database());
    const [locked, free] = await Promise.all([claimedSave(), claimedSave()]);
    const client = await db.database().pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM runs WHERE id = $1 FOR UPDATE', [locked.runId]);
    let isSaved = false;
    const waiting = save(locked).then((outcome) => {
      isSaved = true;
      return outcome;
    });
    await sleep(50);
    expect(await save(free)).toBe('saved');
    expect(isSaved).toBe(false);
    await client.query('ROLLBACK');
    client.release();
    expect(await waiting).toBe('saved');
  });

  test('a lost database connection fails all saves with a retryable error', async () => {
    const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const broken: Database = {
      ...db.database(),
      pool: new Proxy(db.database().pool, { get: () => () => Promise.reject(away) }),
    };
    const save = groupSaves(broken);
    const saves = await Promise.all(Array.from({ length: 3 }, claimedSave));
    const outcomes = await Promise.allSettled(saves.map((one) => save(one)));
    expect(outcomes).toEqual(saves.map(() => ({ status: 'rejected', reason: away })));
  });
});

test('runs performed in parallel are stored like runs performed sequentially', async () => {
  const context = testContext(db.database());
  const perform = async (isTogether: boolean) => {
    const ids: string[] = [];
    for (let pair = 0; pair < 4; pair++)
      ids.push(await queuedRun(context, PRACTICE_SUMS, SUM), await queuedRun(context, PRACTICE_WRITING, TEXT));
    const worker = testWorkerContext(context);
    if (isTogether) await Promise.all(ids.map((id) => performRun(worker, id)));
    else for (const id of ids) await performRun(worker, id);
    return Promise.all(ids.map(keptOf));
  };
  expect(await perform(true)).toEqual(await perform(false));
});

async function keptOf(runId: string) {
  const stored = await loadRun(db.database(), runId);
  const events = await listRunEvents(db.database(), runId, 0, 1_000);
  const calls = await listModelCalls(db.database(), runId);
  return {
    versions: stored?.history.versions.map(({ number, output }) => [number, output]),
    scores: stored?.history.evaluations.map(({ version, overallScore }) => [version, overallScore]),
    spent: [stored?.run.tokenUsage.input, stored?.run.tokenUsage.output],
    events: events.map(({ number, type }) => [number, type]),
    calls: calls.map(({ step, role, ordinal }) => [step, role, ordinal]),
  };
}
