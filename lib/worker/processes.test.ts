import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { contractingMigrations } from '#lib/database/apply-migrations.ts';
import { closeDatabase, openDatabase } from '#lib/database/database.ts';
import { acquireProcessLock, type SessionLock } from '#lib/database/locks.ts';
import { saveProvider } from '#lib/models/change-providers.ts';
import { limitedCall, makeProviderSlots } from '#lib/models/limited-call.ts';
import { claimModelRequest, takeProviderSlot } from '#lib/models/queries.ts';
import { providerResolver } from '#lib/models/resolve-provider.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import type { ModelCaller, ModelOutcome } from '#lib/providers/call/model-caller.ts';
import { ReturnedJobError } from '#lib/queue/dispatch-jobs.ts';
import {
  type AppProcess,
  listLiveProcesses,
  recordHeartbeat,
  removeAppProcess,
  type SilentProcess,
  silentProcesses,
} from '#lib/queue/queries.ts';
import { openQueue, type Queue } from '#lib/queue/queue.ts';
import { checkSecret } from '#lib/server/open-data-directory.ts';
import { PRACTICE_SUMS, queuedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun, RunBusyError } from './perform-run.ts';
import { reusePaidResponses } from './reuse-saved-responses.ts';
import { takeOver, watchSilentProcesses } from './take-over.ts';
import { casesNamed, queuedTuning, tuningSettings } from './tuning-run.test-support.ts';

const db = useTestDatabase();
const SUM = { input: 'What is 11 + 21 × 6? Answer as Finish[number].', reference: '137' };
const locks: SessionLock[] = [];
const queues: Queue[] = [];

afterEach(async () => {
  await Promise.all([...locks.splice(0).map((lock) => lock.release()), ...queues.splice(0).map((one) => one.stop(1))]);
  await db.database().pool.query('DELETE FROM app_processes');
});

function processNamed(id: string = randomUUID()): AppProcess {
  return { id, kind: 'worker', host: 'here', processId: 7, version: '1', slots: 4, busy: 2, startedAt: new Date() };
}

async function living(): Promise<AppProcess> {
  const process = processNamed();
  locks.push(await acquireProcessLock(db.connectionString, process.id));
  await recordHeartbeat(db.database(), process);
  return process;
}

const silent = (ownId: string = randomUUID()) => silentProcesses(db.database(), ownId, 0);

async function createDeadProcess(id: string): Promise<SilentProcess> {
  await recordHeartbeat(db.database(), processNamed(id));
  const found = (await silent()).find((one) => one.id === id);
  if (found === undefined) throw new Error('it holds no lock, so it is silent');
  return found;
}

describe('the processes on a database', () => {
  test('are listed while they send heartbeats, and not after they leave', async () => {
    const [one, other] = [await living(), await living()];
    await recordHeartbeat(db.database(), { ...one, busy: 4 });
    const listed = await listLiveProcesses(db.database());
    expect(listed.map(({ id, busy }) => [id, busy]).sort()).toEqual(
      [
        [one.id, 4],
        [other.id, 2],
      ].sort(),
    );
    await removeAppProcess(db.database(), one.id);
    await db.database().pool.query("UPDATE app_processes SET seen_at = now() - interval '31 seconds'");
    expect(await listLiveProcesses(db.database())).toEqual([]);
  });

  test('are silent after losing their lock or after 30 seconds without a heartbeat', async () => {
    const [own, killed, cut] = [await living(), await living(), await living()];
    expect(await silent(own.id)).toEqual([]);
    await locks[1]?.release();
    await db
      .database()
      .pool.query("UPDATE app_processes SET seen_at = now() - interval '31 seconds' WHERE id = $1", [cut.id]);
    const found = await silent(own.id);
    expect(found.map(({ id, isLong }) => [id, isLong]).sort()).toEqual(
      [
        [killed.id, false],
        [cut.id, true],
      ].sort(),
    );
  });

  test('are not silent because of a free lock shortly after the database server started', async () => {
    await recordHeartbeat(db.database(), processNamed());
    expect(await silent()).toHaveLength(1);
    expect(await silentProcesses(db.database(), randomUUID(), 3_600_000)).toEqual([]);
  });

  test('reacquire a lock that was lost with its connection', async () => {
    const process = await living();
    await db
      .database()
      .pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hone process'");
    await expect.poll(async () => (await silent()).map(({ id }) => id), { timeout: 5_000 }).not.toContain(process.id);
  });

  test('share one secret: another is rejected, or accepted with a log line if not shared', async () => {
    const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const lines: string[] = [];
    const check = async (secret: Buffer, isShared = true) => {
      const log = (line: string) => lines.push(line);
      return (await checkSecret({ database: { ...db.database(), isShared }, secret, log })).ok;
    };
    expect(await check(one)).toBe(true);
    expect(await check(other)).toBe(false);
    expect(await check(one)).toBe(true);
    expect(lines).toEqual([]);
    expect(await check(other, false)).toBe(true);
    expect(lines).toHaveLength(1);
    expect(await check(other)).toBe(true);
  });
});

test('detects a contracting migration of a newer release and ignores an additive one', async () => {
  const { pool } = db.database();
  const { rows } = await pool.query<{ name: string }>('SELECT migration_name AS name FROM _prisma_migrations');
  const known = rows.map(({ name }) => name);
  expect(await contractingMigrations({ pool }, known)).toEqual([]);
  for (const name of ['29990101000000_more', '29990102000000_contract_more'])
    await pool.query(
      'INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ($1::text, $1::text, $1::text, now())',
      [name],
    );
  expect(await contractingMigrations({ pool }, known)).toEqual(['29990102000000_contract_more']);
});

describe('takeover of a silent process', () => {
  test('releases everything it held, requeues its runs, and happens once', async () => {
    const context = testContext(db.database());
    const { database } = context;
    const queue = await openQueue(db.connectionString, (error) => expect.fail(error.message));
    queues.push(queue);
    const dead = randomUUID();
    unwrap(
      await saveProvider(context, TESTER, {
        name: 'mine',
        kind: 'openai-compatible',
        baseUrl: 'http://127.0.0.1:9/v1',
      }),
    );
    await makeProviderSlots(database, 'mine', 1);
    expect(await takeProviderSlot(database, 'mine', 1, dead, [])).toBe(1);
    expect(await claimModelRequest(database, { fingerprint: 'f', slot: 0 }, dead)).toBe(true);
    const runId = await queuedRun(context, PRACTICE_SUMS, SUM);
    await database.pool.query("UPDATE runs SET status = 'running', claim = 1, claimed_by = $2 WHERE id = $1", [
      runId,
      dead,
    ]);
    await queue.enqueue([runId]);
    await database.pool.query("UPDATE pgboss.job SET state = 'active', heartbeat_on = now() WHERE singleton_key = $1", [
      runId,
    ]);

    const takenOver = await createDeadProcess(dead);
    const taken = await Promise.all([
      takeOver({ database, queue }, takenOver),
      takeOver({ database, queue }, takenOver),
    ]);
    expect(taken.toSorted()).toEqual([1, null]);
    expect(await takeProviderSlot(database, 'mine', 1, randomUUID(), [])).toBe(1);
    expect(await claimModelRequest(database, { fingerprint: 'f', slot: 0 }, randomUUID())).toBe(true);
    const performed: string[] = [];
    await queue.work(1, async (id) => void performed.push(id));
    await expect.poll(() => performed).toEqual([runId]);
  });

  test('waits for heartbeats after a pause in which no process reached the database', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    const context = testContext(db.database());
    const queue = await openQueue(db.connectionString, (error) => expect.fail(error.message));
    queues.push(queue);
    const { id } = await createDeadProcess(randomUUID());
    const { pool } = db.database();
    await pool.query("UPDATE app_processes SET seen_at = now() - interval '1 hour'");
    await expect
      .poll(async () => (await silentProcesses(db.database(), randomUUID())).length, { timeout: 15_000 })
      .toBe(1);
    let isAway = false;
    const hasOthers = async () => {
      if (isAway) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
      return true;
    };
    const stop = watchSilentProcesses({ ...context, queue }, randomUUID(), hasOthers);
    const pass = async (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 1.5) {
        vi.advanceTimersByTime(1_500);
        await sleep(50);
      }
    };
    const isListed = async () => (await silent()).some((one) => one.id === id);
    try {
      isAway = true;
      await pass(60);
      isAway = false;
      await pass(9);
      expect(await isListed()).toBe(true);
      const isListedLater = () => pass(1.5).then(isListed);
      await expect.poll(isListedLater, { timeout: 10_000 }).toBe(false);
      expect(warn).toHaveBeenCalledWith(expect.stringContaining('has stopped responding'));
    } finally {
      await stop();
      vi.useRealTimers();
    }
  });

  test('skips a process that has sent a heartbeat since', async () => {
    const takenOver = await createDeadProcess(randomUUID());
    await db.database().pool.query("UPDATE app_processes SET seen_at = seen_at + interval '1 second'");
    expect(
      await takeOver({ database: db.database(), queue: { sendAnew: async () => undefined } }, takenOver),
    ).toBeNull();
    expect(await listLiveProcesses(db.database())).toHaveLength(1);
  });
});

test('two processes with the same request pay for it once', async () => {
  const context = testContext(db.database());
  const run = async () => (await queuedTuning(context, tuningSettings(), casesNamed('train', 'a'))).runId;
  const runIds = [await run(), await run()];
  const others = openDatabase(db.connectionString, { maxConnections: 2 });
  const { promise: may, resolve: answer } = Promise.withResolvers<void>();
  let asked = 0;
  const call: ModelCaller = async () => {
    asked++;
    await may;
    const tokenUsage = { input: 1, output: 1, total: 2 };
    const reply = {
      text: 'paid',
      finishReason: 'stop',
      tokenUsage,
      costUsd: 1,
      latencyMs: 1,
      attempts: 1,
      warnings: [],
    };
    return { ok: true, reply } satisfies ModelOutcome;
  };
  const model = { provider: 'practice', model: 'practice-1' };
  const shared = { role: 'try' as const, ordinal: 0, model, instructions: '', temperature: 0 };
  const request = { ...shared, prompt: randomUUID(), maxOutputTokens: null, output: null };
  const options = { signal: new AbortController().signal, onText: null };
  try {
    const asking = [db.database(), others].map((database, index) =>
      reusePaidResponses({ database, call, owner: { runId: runIds[index] ?? '' }, processId: randomUUID() })(
        request,
        options,
        1,
      ),
    );
    await expect.poll(() => asked, { timeout: 10_000 }).toBe(1);
    answer();
    const costs = (await Promise.all(asking)).map((outcome) => (outcome.ok ? outcome.reply.costUsd : null));
    expect(costs.toSorted()).toEqual([0, 1]);
    expect(asked).toBe(1);
    expect((await others.pool.query('SELECT 1 FROM paid_questions WHERE fingerprint <> $1', ['f'])).rowCount).toBe(0);
  } finally {
    await closeDatabase(others);
  }
});

test('a draining worker finishes its call and starts no other; the next worker repeats none', async () => {
  const context = testContext(db.database());
  const runId = await queuedRun(context, PRACTICE_SUMS, SUM);
  const real = createModelCaller({ resolveProvider: providerResolver(context), addresses: context.addresses });
  const draining = new AbortController();
  const prompts: string[] = [];
  const counted: ModelCaller = async (request, options) => {
    prompts.push(`${request.role} ${request.prompt}`);
    if (prompts.length === 2) draining.abort();
    return real(request, options);
  };
  const worker = (drainingSignal: AbortSignal) => {
    const limits = { maxConcurrency: null, maxRequestsPerMinute: null };
    const call = limitedCall(counted, {
      database: context.database,
      holder: randomUUID(),
      draining: drainingSignal,
      limitsOf: async () => limits,
    });
    return { ...testWorkerContext(context, call), draining: drainingSignal, processId: randomUUID(), end: call.close };
  };
  const [first, second] = [worker(draining.signal), worker(new AbortController().signal)];
  await expect(performRun(first, runId)).rejects.toThrow(ReturnedJobError);
  expect(prompts).toHaveLength(2);
  const { rows } = await context.database.pool.query('SELECT status, idle_claims, claimed_by FROM runs WHERE id = $1', [
    runId,
  ]);
  expect(rows).toEqual([{ status: 'running', idle_claims: 0, claimed_by: null }]);
  expect(await performRun(second, runId)).toBe(true);
  const ended = await context.database.pool.query('SELECT status FROM runs WHERE id = $1', [runId]);
  expect(ended.rows).toEqual([{ status: 'finished' }]);
  expect(prompts.length).toBeGreaterThan(2);
  expect(new Set(prompts).size).toBe(prompts.length);
  first.end();
  second.end();
});

/** A worker of a process with a recent heartbeat. */
async function workerOf(process: AppProcess, call: ModelCaller) {
  await recordHeartbeat(db.database(), process);
  return { ...testWorkerContext(testContext(db.database()), call), processId: process.id };
}

describe('a job sent again while its run is being performed', () => {
  /** Performs a run up to its first call, which blocks, and prepares a second worker for the same run. */
  async function sentAgain(process: AppProcess) {
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_SUMS, SUM);
    const real = createModelCaller({ resolveProvider: providerResolver(context), addresses: context.addresses });
    const { promise: may, resolve: answer } = Promise.withResolvers<void>();
    const prompts: string[] = [];
    const counted: ModelCaller = async (request, options) => {
      prompts.push(`${request.role} ${request.prompt}`);
      if (prompts.length === 1) await may;
      return real(request, options);
    };
    const [first, second] = [await workerOf(process, counted), await workerOf(await living(), counted)];
    const performing = performRun(first, runId);
    await expect.poll(() => prompts.length).toBe(1);
    return { prompts, answer, performing, performAgain: () => performRun(second, runId) };
  }

  test('is refused while the performing process is alive, so no call is repeated', async () => {
    const { prompts, answer, performing, performAgain } = await sentAgain(await living());
    await expect(performAgain()).rejects.toThrow(RunBusyError);
    answer();
    expect(await performing).toBe(true);
    expect(new Set(prompts).size).toBe(prompts.length);
    // The run has ended, so nothing is left to perform.
    expect(await performAgain()).toBe(false);
  });

  test.each([
    { name: 'was killed', lives: false, silentSeconds: 0 },
    { name: 'was silent for 30 seconds, as all are after an outage of the database', lives: true, silentSeconds: 31 },
  ])('is refused if that process $name, until it is taken over', async ({ lives, silentSeconds }) => {
    const process = lives ? await living() : processNamed();
    const { answer, performing, performAgain } = await sentAgain(process);
    const { pool } = db.database();
    // A free lock counts only once the database server has been up for 10 seconds.
    const isUpLong = async () =>
      (await pool.query("SELECT 1 WHERE pg_postmaster_start_time() < now() - interval '10 seconds'")).rowCount === 1;
    await expect.poll(isUpLong, { timeout: 15_000 }).toBe(true);
    await pool.query("UPDATE app_processes SET seen_at = seen_at - $2 * interval '1 second' WHERE id = $1", [
      process.id,
      silentSeconds,
    ]);
    await expect(performAgain()).rejects.toThrow(RunBusyError);
    const dead = (await silent()).find(({ id }) => id === process.id);
    if (dead === undefined) throw new Error('the process is silent');
    await takeOver({ database: db.database(), queue: { sendAnew: async () => undefined } }, dead);
    expect(await performAgain()).toBe(true);
    answer();
    await performing;
  });

  test.each([
    { name: 'a failure of a worker that is still alive', away: 0 },
    { name: 'a failure while the database is unavailable', away: 2 },
  ])('is performed immediately after $name', async ({ away }) => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_SUMS, SUM);
    const broken = new Error('broken');
    let left = 0;
    const failing: ModelCaller = async () => {
      left = away;
      throw broken;
    };
    const pool: typeof context.database.pool = new Proxy(context.database.pool, {
      get: (target, key) => {
        if (key === 'query' && left-- > 0) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
        return Reflect.get(target, key);
      },
    });
    const first = { ...(await workerOf(await living(), failing)), database: { ...context.database, pool } };
    await expect(performRun(first, runId)).rejects.toThrow(broken);
    const real = createModelCaller({ resolveProvider: providerResolver(context), addresses: context.addresses });
    expect(await performRun(await workerOf(await living(), real), runId)).toBe(true);
  });
});
