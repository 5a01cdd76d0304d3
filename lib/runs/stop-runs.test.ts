import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
import { startBatch } from '#lib/batches/start-batch.ts';
import { openQueue, type Queue } from '#lib/queue/queue.ts';
import { AUDIT_FAILURE, whileAuditFails } from '#lib/testing/failing-audit.test-support.ts';
import {
  PRACTICE_WRITING,
  queuedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { continueStopAll, findStopAll, stateOf, stopAllRuns } from './stop-runs.ts';

const db = useTestDatabase();
const GOING = new AbortController().signal;
let queue: Queue;
beforeAll(async () => {
  queue = await openQueue(db.connectionString, (error) => expect.fail(error.message));
});
afterAll(() => queue.stop(1));
afterEach(async () => {
  await db.database().pool.query(`DELETE FROM pgboss.job; DELETE FROM experiments; DELETE FROM installation_settings`);
});

const context = () => ({ ...testContext(db.database()), enqueue: queue.enqueue });

/** Queues runs in one batch and returns their ids. */
async function queued(count: number): Promise<string[]> {
  const at = context();
  const first = await queuedRun(at, PRACTICE_WRITING, { input: 'Note 0.' });
  const { experimentId } = await db.database().prisma.run.findUniqueOrThrow({ where: { id: first } });
  if (count === 1) return [first];
  const cases = Array.from({ length: count - 1 }, (_, at) => ({ input: `Note ${at + 1}.` }));
  const options = { idempotencyKey: null, watched: false };
  return [first, ...unwrap(await startBatch(at, TESTER, experimentId, { cases }, options)).runIds];
}

async function setStatus(runId: string, status: string): Promise<void> {
  await db.database().prisma.run.update({ where: { id: runId }, data: { status } });
}

async function statuses(runIds: string[]): Promise<string[]> {
  const rows = await db
    .database()
    .prisma.run.findMany({ where: { id: { in: runIds } }, select: { id: true, status: true } });
  return runIds.map((runId) => rows.find(({ id }) => id === runId)?.status ?? 'gone');
}

async function jobs(): Promise<number> {
  const { rows } = await db.database().pool.query(`SELECT 1 FROM pgboss.job WHERE state < 'active'`);
  return rows.length;
}

describe('stopping all runs', () => {
  test('two requests at the same time stop the waiting runs too if one of them asks for it', async () => {
    const [waits = ''] = await queued(2);
    await setStatus(waits, 'waiting');
    for (let round = 0; round < 10; round++) {
      await db.database().prisma.installationSetting.deleteMany();
      const both = [true, false].map((waiting) => stopAllRuns(context(), TESTER, { waiting }));
      for (const result of await Promise.all(both)) unwrap(result);
      expect(await findStopAll(db.database())).toMatchObject({ waiting: true, total: 2 });
    }
  });

  test("removes all queued jobs at once, then stops each run with the requester's decision", async () => {
    const at = context();
    const runIds = await queued(50);
    expect(await jobs()).toBe(50);
    const asked = unwrap(await stopAllRuns(at, TESTER, {}));
    expect(asked).toMatchObject({ total: 50, stopped: 0, doneAt: null, askedBy: 'Tester' });
    expect(await jobs()).toBe(0);
    expect(await continueStopAll(at, 'one', GOING)).toBe(50);
    expect(new Set(await statuses(runIds))).toEqual(new Set(['stopped']));
    expect(await findStopAll(db.database())).toMatchObject({ stopped: 50, doneAt: expect.any(String) });
    const decisions = await db.database().prisma.decision.findMany({ where: { runId: { in: runIds } } });
    expect(decisions).toHaveLength(50);
    expect(decisions[0]).toMatchObject({ decision: 'stop', by: 'person', actor: 'Tester' });
  });

  test('saves nothing if the audit log entry fails', async () => {
    const at = context();
    await queued(2);
    await whileAuditFails(db.database(), () => expect(stopAllRuns(at, TESTER, {})).rejects.toThrow(AUDIT_FAILURE));
    expect(await findStopAll(db.database())).toBeNull();
    expect(await jobs()).toBe(2);
  });

  test('a run stopped this way can be resumed', async () => {
    const at = context();
    const [runId = ''] = await queued(1);
    unwrap(await stopAllRuns(at, TESTER, {}));
    await continueStopAll(at, 'one', GOING);
    unwrap(await resumeRun(at, TESTER, runId));
    expect(await jobs()).toBe(1);
    await performRun(testWorkerContext(at), runId);
    expect(await statuses([runId])).toEqual(['finished']);
  });

  test.each([
    [false, ['stopped', 'running', 'waiting', 'finished']],
    [true, ['stopped', 'running', 'stopped', 'finished']],
  ])('includes waiting runs: %s', async (waiting, expected) => {
    const at = context();
    const runIds = await queued(4);
    const [, running = '', person = '', ended = ''] = runIds;
    await setStatus(running, 'running');
    await setStatus(person, 'waiting');
    await setStatus(ended, 'finished');
    const asked = unwrap(await stopAllRuns(at, TESTER, { waiting }));
    expect(asked.total).toBe(waiting ? 3 : 2);
    await continueStopAll(at, 'one', GOING);
    expect(await statuses(runIds)).toEqual(expected);
    const decided = await db.database().prisma.decision.findMany({ where: { runId: running } });
    // The worker of a running run aborts it and ends it.
    expect(decided).toMatchObject([{ decision: 'stop' }]);
    expect(await findStopAll(db.database())).toMatchObject({ doneAt: expect.any(String) });
  });

  test('another process continues after the first is killed, and never two at once', async () => {
    const at = context();
    const runIds = await queued(60);
    unwrap(await stopAllRuns(at, TESTER, {}));
    const killed = new AbortController();
    const now = () => {
      killed.abort();
      return new Date();
    };
    const first = { ...at, now };
    expect(await continueStopAll(first, 'killed', killed.signal)).toBe(40);
    expect(await continueStopAll(at, 'other', GOING)).toBe(0);
    await db
      .database()
      .pool.query(
        `UPDATE installation_settings SET value = value || jsonb_build_object('heldUntil', now() - interval '1 second')`,
      );
    expect(await continueStopAll(at, 'other', GOING)).toBe(20);
    expect(new Set(await statuses(runIds))).toEqual(new Set(['stopped']));
    expect(await findStopAll(db.database())).toMatchObject({ stopped: 60 });
  });

  test('leaves runs started later alone', async () => {
    const at = context();
    await queued(1);
    unwrap(await stopAllRuns(at, TESTER, {}));
    const [later = ''] = await queued(1);
    await continueStopAll(at, 'one', GOING);
    expect(await statuses([later])).toEqual(['queued']);
    expect(await jobs()).toBe(1);
  });

  test("finishes at once if there is nothing to stop, and hides the requester's IP address", async () => {
    const asked = unwrap(await stopAllRuns(context(), { ...TESTER, address: '10.0.0.7' }, {}));
    expect(asked).toMatchObject({ total: 0, doneAt: expect.any(String) });
    const kept = await findStopAll(db.database());
    expect(kept?.actor.address).toBe('10.0.0.7');
    expect(JSON.stringify(kept && stateOf(kept))).not.toContain('10.0.0.7');
    expect(await stopAllRuns(context(), TESTER, { waiting: 'yes' })).toMatchObject({
      ok: false,
      problem: { field: 'waiting' },
    });
  });
});
