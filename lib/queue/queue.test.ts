import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { inTransaction } from '#lib/database/transactions.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { ReturnedJobError } from './dispatch-jobs.ts';
import { openQueue, type Queue } from './queue.ts';

const db = useTestDatabase();
const open: Queue[] = [];

async function queue(): Promise<Queue> {
  const opened = await openQueue(db.connectionString, (error) => expect.fail(error.message));
  open.push(opened);
  return opened;
}

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((opened) => opened.stop(1)));
  // Prevents jobs left active by one test from reappearing in the next.
  await db.database().pool.query('DELETE FROM pgboss.job');
});

/** Creates a `perform` that records its runs and ends a run on request. */
function performer() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const perform = (runId: string) => {
    begun.push(runId);
    return new Promise<void>((resolve) => ends.set(runId, resolve));
  };
  return { begun, perform, end: (runId: string) => ends.get(runId)?.() };
}

describe('openQueue', () => {
  test('performs a run once if it is enqueued twice before it starts', async () => {
    const { enqueue, work } = await queue();
    const runId = randomUUID();
    await enqueue([runId]);
    await enqueue([runId]);
    const { begun, perform, end } = performer();
    await work(4, perform);
    await expect.poll(() => begun).toEqual([runId]);
    end(runId);
    const other = randomUUID();
    await enqueue([other]);
    await expect.poll(() => begun).toEqual([runId, other]);
  });

  test('performs a run again immediately if it is enqueued while its last job is ending', async () => {
    const { enqueue, work } = await queue();
    const { begun, perform, end } = performer();
    await work(2, perform);
    const runId = randomUUID();
    await enqueue([runId]);
    await expect.poll(() => begun).toEqual([runId]);
    await enqueue([runId]);
    end(runId);
    await expect.poll(() => begun, { timeout: 1_500 }).toEqual([runId, runId]);
  });

  test('a job enqueued in a transaction appears on commit and never after a rollback', async () => {
    const { enqueue, work } = await queue();
    const { begun, perform } = performer();
    await work(4, perform);
    const [kept, lost] = [randomUUID(), randomUUID()];
    const failing = inTransaction(db.database(), async (transaction) => {
      await enqueue([lost], transaction);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await inTransaction(db.database(), (transaction) => enqueue([kept], transaction));
    await expect.poll(() => begun, { timeout: 1_500 }).toEqual([kept]);
  });

  test('a returned run is immediately due again, before other runs, and not counted as failed', async () => {
    const { enqueue, work, stop } = await queue();
    const { promise: stopping, resolve: stopNow } = Promise.withResolvers<void>();
    let begun = 0;
    await work(1, async () => {
      begun++;
      await stopping;
      throw new ReturnedJobError();
    });
    const runId = randomUUID();
    await enqueue([runId]);
    await expect.poll(() => begun).toBe(1);
    const stopped = stop(5_000);
    stopNow();
    await stopped;
    const { rows } = await db
      .database()
      .pool.query(
        "SELECT state, priority, start_after <= now() AS is_due FROM pgboss.job WHERE singleton_key = $1 AND state < 'completed'",
        [runId],
      );
    expect(rows).toEqual([{ state: 'created', priority: 1, is_due: true }]);
  });

  test('a deferred run waits for its time and until no other run is active', async () => {
    const { enqueue, putOff, work } = await queue();
    const [late, later, soon, next] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await enqueue([late, later]);
    await putOff([late], 0);
    await putOff([later], 30);
    await enqueue([soon]);
    const { begun, perform, end } = performer();
    await work(2, perform);
    await expect.poll(() => begun).toEqual([soon]);
    await enqueue([next]);
    await expect.poll(() => begun).toEqual([soon, next]);
    end(next);
    end(soon);
    await expect.poll(() => begun, { timeout: 10_000 }).toEqual([soon, next, late]);
    end(late);
    const { rows } = await db
      .database()
      .pool.query('SELECT start_after > now() AS waits FROM pgboss.job WHERE singleton_key = $1', [later]);
    expect(rows).toEqual([{ waits: true }]);
  });

  test('resumes runs of a dead process before it starts others', async () => {
    const { enqueue, sendAnew, work } = await queue();
    const [first, second, begunBefore] = [randomUUID(), randomUUID(), randomUUID()];
    await enqueue([first, second]);
    await inTransaction(db.database(), (transaction) => sendAnew([begunBefore], transaction));
    const performed: string[] = [];
    await work(1, async (runId) => void performed.push(runId));
    await expect.poll(() => performed.length).toBe(3);
    expect(performed[0]).toBe(begunBefore);
  });

  test('two workers share the jobs and perform none twice', async () => {
    const [one, other] = [await queue(), await queue()];
    const performed: string[] = [];
    const perform = async (runId: string) => void performed.push(runId);
    await Promise.all([one.work(3, perform), other.work(3, perform)]);
    const runIds = Array.from({ length: 60 }, () => randomUUID());
    await one.enqueue(runIds);
    await expect.poll(() => performed.length, { timeout: 5_000 }).toBe(60);
    expect(new Set(performed)).toEqual(new Set(runIds));
  });

  test('retries a run that throws', async () => {
    const { enqueue, work } = await queue();
    let tries = 0;
    await work(1, async () => {
      if (++tries === 1) throw new Error('the worker stops');
    });
    await enqueue([randomUUID()]);
    await expect.poll(() => tries, { timeout: 8_000 }).toBe(2);
  });

  test('enqueues a run again if it has work left when its job ends', async () => {
    const { enqueue, work } = await queue();
    const performed: string[] = [];
    const runIds = [randomUUID(), randomUUID()];
    await work(2, async (runId) => void performed.push(runId), {
      leftOver: async (done) => done.filter((runId) => runId === runIds[0] && performed.length < 3),
    });
    await enqueue(runIds);
    await expect.poll(() => performed.toSorted(), { timeout: 4_000 }).toEqual([...runIds, runIds[0]].toSorted());
  });

  test('reports errors of the queue as errors with their code', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const errors: unknown[] = [];
    open.push(await openQueue(db.connectionString, (error) => errors.push(error)));
    const { pool } = db.database();
    await pool.query('ALTER TABLE pgboss.queue RENAME TO moved');
    try {
      await vi.advanceTimersByTimeAsync(60_000);
      await expect.poll(() => errors).toEqual([expect.any(Error)]);
    } finally {
      await pool.query('ALTER TABLE pgboss.moved RENAME TO queue');
    }
    expect(errors[0]).toMatchObject({ code: '42P01', message: expect.stringContaining('pgboss.queue') });
  });

  test('takeOver drops the jobs of a dead worker and enqueues its unfinished runs again', async () => {
    const dead = await queue();
    const runId = randomUUID();
    const first = performer();
    await dead.work(1, first.perform);
    await dead.enqueue([runId]);
    await expect.poll(() => first.begun).toEqual([runId]);
    const next = await queue();
    await next.takeOver([runId]);
    const second = performer();
    await next.work(1, second.perform);
    await expect.poll(() => [...second.begun, ...first.begun.slice(1)], { timeout: 3_000 }).toEqual([runId]);
  });

  // Simulates a clock jump by moving all stored times in the opposite direction.
  test('does not start an active run a second time in parallel when the clock jumps forwards', {
    timeout: 15_000,
  }, async () => {
    const { enqueue, work } = await queue();
    const { begun, perform, end } = performer();
    let ended = 0;
    await work(4, (runId) => perform(runId).then(() => void ended++));
    const runId = randomUUID();
    await enqueue([runId]);
    await expect.poll(() => begun).toEqual([runId]);
    await db
      .database()
      .pool.query(
        `UPDATE pgboss.job SET heartbeat_on = heartbeat_on - interval '3 hours', started_on = started_on - interval '3 hours'`,
      );
    // Waits until the queue has expired the job and fetched it again.
    await expect
      .poll(async () => (await db.database().pool.query('SELECT 1 FROM pgboss.job WHERE retry_count > 0')).rowCount, {
        timeout: 10_000,
      })
      .toBe(1);
    expect(begun).toEqual([runId]);
    end(runId);
    await expect.poll(() => ended).toBe(1);
    await expect.poll(() => begun).toEqual([runId, runId]);
  });

  test('starts waiting runs and recovers the job of a dead worker when the clock jumps backwards', {
    timeout: 20_000,
  }, async () => {
    const { enqueue, work } = await queue();
    const [waiting, left] = [randomUUID(), randomUUID()];
    await enqueue([waiting, left]);
    await db.database().pool.query(
      `UPDATE pgboss.job SET start_after = now() + interval '3 hours',
         state = CASE WHEN singleton_key = $1 THEN 'active'::pgboss.job_state ELSE state END,
         started_on = CASE WHEN singleton_key = $1 THEN now() + interval '3 hours' END,
         heartbeat_on = CASE WHEN singleton_key = $1 THEN now() + interval '3 hours' END`,
      [left],
    );
    await db
      .database()
      .pool.query(
        `UPDATE pgboss.queue SET monitor_claim_on = now() + interval '3 hours', maintain_on = now() + interval '3 hours'`,
      );
    const { begun, perform } = performer();
    await work(4, perform);
    await expect.poll(() => begun, { timeout: 9_000 }).toEqual([waiting]);
    await db
      .database()
      .pool.query(`UPDATE pgboss.job SET heartbeat_on = heartbeat_on - interval '9 seconds' WHERE state = 'active'`);
    await expect.poll(() => begun, { timeout: 9_000 }).toEqual([waiting, left]);
  });

  test('leaves the jobs of other workers after a gap until they have had time for a heartbeat', {
    timeout: 60_000,
  }, async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const { enqueue, work } = await queue();
    const { pool } = db.database();
    const [own, left] = [randomUUID(), randomUUID()];
    const { begun, perform } = performer();
    await enqueue([left]);
    await pool.query(
      `UPDATE pgboss.job SET state = 'active', started_on = now() - interval '1 hour', heartbeat_on = now() - interval '1 hour'`,
    );
    await work(4, perform);
    vi.setSystemTime(Date.now() + 60_000);
    await enqueue([own]);
    await sleep(9_000);
    expect(begun).toEqual([own]);
    const begunLater = () => {
      vi.setSystemTime(Date.now() + 500);
      return begun;
    };
    await expect.poll(begunLater, { timeout: 30_000 }).toEqual([own, left]);
  });
});
