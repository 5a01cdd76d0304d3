import { afterEach, describe, expect, test } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
import { startBatch } from '#lib/batches/start-batch.ts';
import { CANCELLED } from '#lib/core/model-request.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { closeDatabase, type Database, openDatabase } from '#lib/database/database.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import {
  PRACTICE_SUMS,
  PRACTICE_WRITING,
  queuedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { agentModel, agentSettings, agentWorkerContext, ECHO, echoTool } from '#lib/worker/agent-run.test-support.ts';
import { performRescores } from '#lib/worker/perform-rescores.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import {
  casesNamed,
  promptKnowing,
  queuedTuning,
  scriptedTuner,
  tuningSettings,
} from '#lib/worker/tuning-run.test-support.ts';
import type { WorkerContext } from '#lib/worker/worker-context.ts';
import { findBatch } from './batches.ts';
import type { CallEntry } from './call-schema.ts';
import { recordCalls } from './journal.ts';
import { listModelCalls } from './list-model-calls.test-support.ts';
import { findRun } from './queries.ts';
import { rescoreVersion } from './rescores.ts';

const db = useTestDatabase();
const SUM = { input: 'What is 11 + 21 × 6? Answer as Finish[number].', reference: 'never this' };
const PAUSE_MS = 60_000;
const others: Database[] = [];

afterEach(async () => {
  await Promise.all(others.splice(0).map(closeDatabase));
});

/** Returns a context with its own database pool, like a second process. */
function otherProcess() {
  const database = openDatabase(db.connectionString, { maxConnections: 4 });
  others.push(database);
  return testContext(database);
}

/** Returns a worker that can be paused during a call for a minute, as by SIGSTOP. It reads responses only after it resumes. */
function pausable(worker: WorkerContext, at: number) {
  const paused = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  let isOver = false;
  let asked = 0;
  const hold = async <Value>(answer: () => Promise<Value>): Promise<Value> => {
    const value = await answer();
    if (isOver) return value;
    paused.resolve();
    await going.promise;
    return value;
  };
  const call: ModelCaller = (request, options) => {
    asked++;
    return asked < at ? worker.call(request, options) : hold(() => worker.call(request, options));
  };
  return {
    worker: { ...worker, call, now: () => new Date(Date.now() + (isOver ? PAUSE_MS : 0)) },
    paused: paused.promise,
    asked: () => asked,
    hold,
    goOn: () => {
      isOver = true;
      going.resolve();
    },
  };
}

/** Returns duplicate calls in the journal of a run and totals that do not match it. */
async function faultsOf(runId: string): Promise<string[]> {
  const calls = await db.database().prisma.modelCall.findMany({ where: { runId } });
  const callKeys = calls
    .filter(({ text }) => text !== null)
    .map((one) => `${one.step} ${one.ordinal} ${one.fingerprint}`);
  const twice = callKeys.filter((key, index) => callKeys.indexOf(key) !== index);
  const { rows } = await db
    .database()
    .pool.query<{ call_count: number; tokens: number }>(
      'SELECT call_count, input_tokens + output_tokens AS tokens FROM runs WHERE id = $1',
      [runId],
    );
  const made = calls.filter(({ attempts }) => attempts > 0);
  const tokens = calls.reduce((sum, call) => sum + call.inputTokens + call.outputTokens, 0);
  return [
    ...twice.map((key) => `kept twice: ${key}`),
    ...(rows[0]?.call_count === made.length ? [] : [`${rows[0]?.call_count} calls are counted, ${made.length} kept`]),
    ...(rows[0]?.tokens === tokens ? [] : [`${rows[0]?.tokens} tokens are counted, ${tokens} kept`]),
  ];
}

/** Returns the number of calls counted as late spending instead of in the journal. */
async function lateCalls(runId: string): Promise<number> {
  const { rows } = await db.database().pool.query<{ calls: number }>(
    `SELECT coalesce(sum(s.calls), 0)::int AS calls FROM other_spend s JOIN runs r ON r.experiment_id = s.experiment_id
     WHERE r.id = $1 AND s.purpose = 'late_call'`,
    [runId],
  );
  return rows[0]?.calls ?? 0;
}

function callEntry(changes: Partial<CallEntry>): CallEntry {
  return {
    ...{ step: 0, ordinal: 0, fingerprint: 'f', role: 'generate', provider: 'practice', model: 'practice-1' },
    ...{ instructions: '', prompt: 'p', options: { temperature: null, maxOutputTokens: null, output: null } },
    ...{ text: 'a', finishReason: 'stop', failure: null, inputTokens: 1, outputTokens: 1, costUsd: 0, latencyMs: 1 },
    ...{ attempts: 1, warnings: [], createdAt: new Date().toISOString() },
    ...changes,
  };
}

describe('a worker paused while another finishes its run stores no duplicates', () => {
  test.each<{ name: string; settings: ExperimentSettingsInput; at: number }>([
    { name: 'at the first call of a run', settings: PRACTICE_SUMS, at: 1 },
    { name: 'at a later attempt', settings: PRACTICE_SUMS, at: 3 },
    { name: 'at a judgement', settings: PRACTICE_WRITING, at: 2 },
  ])('$name: the late response counts as other spending', async ({ settings, at }) => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, settings, SUM);
    const first = pausable(testWorkerContext(context), at);
    const late = performRun(first.worker, runId);
    await first.paused;
    await performRun(testWorkerContext(otherProcess()), runId);
    const before = await findRun(db.database(), runId);
    first.goOn();
    expect(await late).toBe(true);
    expect(await faultsOf(runId)).toEqual([]);
    expect(await findRun(db.database(), runId)).toEqual(before);
    expect(await lateCalls(runId)).toBe(1);
    expect(first.asked()).toBe(at);
  });

  test('in a batch', async () => {
    const context = testContext(db.database());
    const runIds = await Promise.all([1, 2, 3].map(() => queuedRun(context, PRACTICE_SUMS, SUM)));
    const workers = runIds.map(() => pausable(testWorkerContext(context), 2));
    const late = runIds.map((runId, index) => performRun(workers[index]?.worker ?? testWorkerContext(context), runId));
    await Promise.all(workers.map(({ paused }) => paused));
    const other = testWorkerContext(otherProcess());
    await Promise.all(runIds.map((runId) => performRun(other, runId)));
    for (const { goOn } of workers) goOn();
    await Promise.all(late);
    for (const runId of runIds) expect([await faultsOf(runId), await lateCalls(runId)]).toEqual([[], 1]);
  });

  test('and its failure does not hold the batch', async () => {
    const context = testContext(db.database());
    const { id } = unwrap(await createExperiment(context, TESTER, { name: 'Sums', ...PRACTICE_SUMS }));
    const start = { cases: [SUM, SUM] };
    const options = { idempotencyKey: null, watched: false };
    const { batchId, runIds } = unwrap(await startBatch(context, TESTER, id, start, options));
    const [runId = ''] = runIds;
    const refused: ModelCaller = async () => ({ ok: false, failure: { ...CANCELLED.failure, kind: 'unauthorized' } });
    const first = pausable(testWorkerContext(context, refused), 1);
    const late = performRun(first.worker, runId);
    await first.paused;
    await performRun(testWorkerContext(otherProcess()), runId);
    first.goOn();
    await late;
    expect(await findBatch(db.database(), batchId)).toMatchObject({ held: null, counts: { finished: 1, queued: 1 } });
  });

  test('in a tuning run, where it makes no further calls', async () => {
    const context = testContext(db.database());
    const settings = tuningSettings({ maxIterations: 1 });
    const { runId } = await queuedTuning(
      context,
      settings,
      casesNamed('train', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'),
    );
    const tuner = () => scriptedTuner([promptKnowing('a', 'b')]);
    const first = pausable(testWorkerContext(context, tuner().call), 3);
    const late = performRun(first.worker, runId);
    await first.paused;
    const { pool } = db.database();
    await expect
      .poll(async () => (await pool.query('SELECT 1 FROM model_calls WHERE run_id = $1', [runId])).rowCount)
      .toBe(2);
    // One call per case: later calls would be made after the claim was lost.
    await expect.poll(first.asked).toBe(10);
    const inFlight = first.asked();
    // Simulates a worker that takes over the run.
    await pool.query('DELETE FROM paid_questions');
    await performRun(testWorkerContext(otherProcess(), tuner().call), runId);
    const before = await findRun(db.database(), runId);
    expect(before?.record.status).toBe('finished');
    first.goOn();
    await late;
    expect(await faultsOf(runId)).toEqual([]);
    expect(await findRun(db.database(), runId)).toEqual(before);
    expect(first.asked()).toBe(inFlight);
    const responses = await pool.query('SELECT 1 FROM paid_replies WHERE run_id = $1', [runId]);
    expect(new Set(responses.rows).size).toBe(responses.rowCount);
  });

  test("in an agent's tool call: it makes no further turn and drops the tool result", async () => {
    const context = testContext(db.database());
    const settings = agentSettings({ type: 'react', tools: [ECHO] }, { maxAttempts: 1 });
    const runId = await queuedRun(context, settings, SUM);
    const script = () => [{ calls: [[ECHO, { text: 'a' }]] satisfies [string, object][] }, 'Done.'];
    const used: string[] = [];
    const first = pausable(agentWorkerContext(context, agentModel(script), []), 99);
    const tool = echoTool(used);
    const slow = { ...tool, run: (...given: Parameters<typeof tool.run>) => first.hold(() => tool.run(...given)) };
    const slowWorkerContext = {
      ...first.worker,
      openTools: agentWorkerContext(context, first.worker.call, [slow]).openTools,
    };
    const late = performRun(slowWorkerContext, runId);
    await first.paused;
    await performRun(agentWorkerContext(otherProcess(), agentModel(script), [echoTool(used)]), runId);
    const before = await findRun(db.database(), runId);
    expect(before?.record.status).toBe('finished');
    first.goOn();
    await late;
    expect(await faultsOf(runId)).toEqual([]);
    expect(await findRun(db.database(), runId)).toEqual(before);
    expect(first.asked()).toBe(1);
    expect(used).toEqual(['a', 'a']);
  });

  test('in a re-score that another worker claimed', async () => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_WRITING, SUM);
    await performRun(testWorkerContext(context), runId);
    unwrap(await rescoreVersion(context, TESTER, runId, 0, { times: 1 }));
    const first = pausable(testWorkerContext(context), 1);
    const late = performRescores(first.worker, runId);
    await first.paused;
    await db.database().pool.query('UPDATE rescores SET held_by = NULL, held_until = NULL');
    await performRescores(testWorkerContext(otherProcess()), runId);
    first.goOn();
    await late;
    const aside = (await listModelCalls(db.database(), runId)).filter(({ step }) => step < 0);
    expect(aside).toHaveLength(1);
    expect(await lateCalls(runId)).toBe(1);
  });
});

test('keeps a late response if the run still waits for it and no worker holds it', async () => {
  const context = testContext(db.database());
  const runId = await queuedRun(context, PRACTICE_SUMS, SUM);
  const first = pausable(testWorkerContext(context), 1);
  const late = performRun(first.worker, runId);
  await first.paused;
  const spend = { tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0, latencyMs: 1, attempts: 1 };
  const failure = { kind: 'unavailable' as const, message: 'It is down.', remedy: 'Try later.', status: 503, ...spend };
  await performRun(
    testWorkerContext(otherProcess(), async () => ({ ok: false, failure })),
    runId,
  );
  first.goOn();
  await late;
  expect(await lateCalls(runId)).toBe(0);
  unwrap(await resumeRun(context, TESTER, runId));
  const third = testWorkerContext(otherProcess());
  const asked: string[] = [];
  const call: ModelCaller = (request, options) => {
    asked.push(request.prompt);
    return third.call(request, options);
  };
  await performRun({ ...third, call }, runId);
  const [answered] = (await listModelCalls(db.database(), runId)).filter((one) => one.failure === null);
  expect(asked).not.toContain(answered?.prompt);
  expect(await faultsOf(runId)).toEqual([]);
});

test('stores calls once when a write that may have succeeded is repeated', async () => {
  const context = testContext(db.database());
  const runId = await queuedRun(context, PRACTICE_SUMS, SUM);
  await performRun(testWorkerContext(context), runId);
  const entry = callEntry({ step: 90 });
  const owner = { runId, claim: 1 };
  expect(await recordCalls(db.database(), owner, [entry])).toBe(true);
  const other = { ...entry, ordinal: 1 };
  expect(await recordCalls(db.database(), { ...owner, again: true }, [entry, other])).toBe(true);
  expect((await listModelCalls(db.database(), runId)).filter(({ step }) => step === 90)).toHaveLength(2);
  expect(await faultsOf(runId)).toEqual([]);
});
