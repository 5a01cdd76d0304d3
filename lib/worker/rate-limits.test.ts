import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { findBatchQueuePosition, findQueuePosition } from '#lib/batches/queue-position.ts';
import { resumeBatch } from '#lib/batches/resume-batch.ts';
import { resumeRun } from '#lib/batches/resume-run.ts';
import { startBatch } from '#lib/batches/start-batch.ts';
import { CANCELLED } from '#lib/core/model-request.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { markChanged, startListening, stopListening } from '#lib/database/changes.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { deleteProvider, saveProvider, updateProvider } from '#lib/models/change-providers.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import type { ProviderKind } from '#lib/providers/provider-kinds.ts';
import { type TURN_KINDS, turnAnswer } from '#lib/providers/turn-answers.test-support.ts';
import { openQueue } from '#lib/queue/queue.ts';
import { findBatch } from '#lib/runs/batches.ts';
import { listHeldBatches } from '#lib/runs/hold-batch.ts';
import { listRuns } from '#lib/runs/list-runs.ts';
import { releaseWaiting } from '#lib/runs/queries.ts';
import { unfinishedRunIds } from '#lib/runs/queued-work.ts';
import { continueRateLimited, currentRateLimit } from '#lib/runs/rate-limits.ts';
import { stopRun } from '#lib/runs/stop-runs.ts';
import type { Answer } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { storedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';
import { runRateLimits } from './rate-limits.ts';

const db = useTestDatabase();
const START = Date.parse('2026-05-04T10:00:00Z');
const DAY_SECONDS = 24 * 3600;

// The position of a run is read from the tables of the queue.
beforeAll(async () => {
  const queue = await openQueue(db.connectionString, (error) => expect.fail(error.message));
  await queue.stop(1);
});

/** Starts a batch of runs with one call each, on a fake server of a provider kind. The clock only moves when the test sets it. */
async function limitedBatch(
  answers: Answer[],
  { kind = 'openai' as ProviderKind, runs = 1, evaluator = {}, budget = {}, provider = 'practice' } = {},
) {
  const clock = { ms: START };
  const server = await serveScript(answers);
  const context = { ...testContext(db.database()), now: () => new Date(clock.ms) };
  const configuration = { name: provider, kind, baseUrl: server.baseUrl, apiKey: 'key-12345678', prices: {} };
  const call = createModelCaller({
    addresses: context.addresses,
    resolveProvider: async () => configuration,
    sleep: async () => {},
    now: () => clock.ms,
  });
  if (provider !== 'practice') unwrap(await saveProvider(context, TESTER, configuration));
  const settings = settingsSchema.parse({
    mode: 'retry',
    // Runs of other tests still wait for the limits of their models.
    generator: { provider, model: context.newId() },
    criteria: [{ name: 'right', evaluator: 'reference', config: { match: 'exact' }, ...evaluator }],
    maxAttempts: 1,
    budget,
    lessons: { write: 'off' },
  });
  const experiment = unwrap(await createExperiment(context, TESTER, { name: 'limited', ...settings }));
  const cases = Array.from({ length: runs }, (_, index) => ({ input: `Say a ${index}.`, reference: 'a' }));
  const options = { idempotencyKey: null, watched: false };
  const { batchId, runIds } = unwrap(await startBatch(context, TESTER, experiment.id, { cases }, options));
  context.sent.length = 0;
  const worker = testWorkerContext(context, call);
  return {
    context,
    clock,
    batchId,
    runIds,
    runId: runIds[0] ?? '',
    requests: server.requests,
    perform: async (ids: readonly string[]) => {
      for (const id of ids) await performRun(worker, id);
    },
    /** Enqueues the runs whose wait is over and returns them. */
    continued: async () => {
      await continueRateLimited(context);
      return context.sent.splice(0).filter((id) => runIds.includes(id));
    },
    /** Returns the runs enqueued since the last check. */
    enqueued: () => context.sent.splice(0).filter((id) => runIds.includes(id)),
    statuses: async () => {
      const stored = await Promise.all(runIds.map((id) => storedRun(db.database(), id)));
      return stored.map(({ run }) => `${run.status}${run.pauseExpiresAt ? ` until ${run.pauseExpiresAt}` : ''}`);
    },
  };
}

function limited(error: object, headers: Record<string, string> = {}, status = 429): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(error));
  };
}

const answered = (kind: (typeof TURN_KINDS)[number] = 'openai') => turnAnswer(kind, 'a');

test.each<[string, (typeof TURN_KINDS)[number], Answer, number, number]>([
  [
    'OpenAI: a text in the body',
    'openai',
    limited({ error: { code: 'rate_limit_exceeded', message: 'Rate limit reached. Please try again in 1m12s.' } }),
    1,
    72,
  ],
  [
    'Azure OpenAI: retry-after-ms',
    'openai',
    limited(
      { error: { code: '429', message: 'Requests exceeded the token rate limit.' } },
      { 'retry-after-ms': '80500' },
    ),
    1,
    80.5,
  ],
  [
    'Groq: the reset of an exhausted limit',
    'openai-compatible',
    limited(
      { error: { type: 'tokens', message: 'Rate limit reached for model.' } },
      {
        ...{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '2m59.56s' },
        ...{ 'x-ratelimit-remaining-tokens': '5', 'x-ratelimit-reset-tokens': '7.66s' },
      },
    ),
    1,
    179.56,
  ],
  [
    'OpenRouter: the reset of a daily limit in the body',
    'openai-compatible',
    limited({
      error: {
        ...{ code: 429, message: 'Rate limit exceeded: free-models-per-day' },
        metadata: { headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(START + 14 * 3_600_000) } },
      },
    }),
    1,
    14 * 3600,
  ],
  [
    'Anthropic: retry-after',
    'anthropic',
    limited({ type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } }, { 'retry-after': '75' }),
    1,
    75,
  ],
  [
    'Anthropic: overloaded, without a time',
    'anthropic',
    limited({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, {}, 529),
    4,
    60,
  ],
  [
    'Google: RetryInfo',
    'google',
    limited({
      error: {
        ...{ code: 429, status: 'RESOURCE_EXHAUSTED', message: 'You exceeded your current quota.' },
        details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '90s' }],
      },
    }),
    1,
    90,
  ],
  [
    'Bedrock: throttled, without a time',
    'openai-compatible',
    limited({ message: 'Too many requests, please wait before trying again.' }),
    4,
    60,
  ],
])('a run waits for the rate limit of %s', async (_name, kind, answer, calls, seconds) => {
  const answers = [...Array.from({ length: calls }, () => answer), answered(kind)];
  const { context, clock, runId, perform, continued, statuses, requests } = await limitedBatch(answers, { kind });
  await perform([runId]);
  const until = new Date(START + seconds * 1000).toISOString();
  expect(await statuses()).toEqual([`running until ${until}`]);
  expect(requests).toHaveLength(calls);
  const place = await findQueuePosition(context, runId);
  expect(place?.reasons).toMatchObject([
    {
      kind: 'rate_limit',
      message: expect.stringContaining('Waiting for the rate limit of practice until '),
      until,
    },
  ]);
  const { items } = await listRuns(db.database(), { cursor: null, limit: 1 });
  expect(items[0]).toMatchObject({ status: 'running', rateLimit: { provider: 'practice', until } });

  const { run } = await storedRun(db.database(), runId);
  expect(currentRateLimit(run)).toEqual({ provider: 'practice', until });

  clock.ms = START + seconds * 1000 - 1;
  expect(await continued()).toEqual([]);
  clock.ms += 1;
  expect(await continued()).toEqual([runId]);
  await perform([runId]);
  expect(await statuses()).toEqual(['finished']);
  expect(requests).toHaveLength(calls + 1);
});

const SOON = limited({ error: { message: 'slow down' } }, { 'retry-after': '120' });

test('a limit costs one call, and after it one run finds out for all runs of the batch', async () => {
  const run = await limitedBatch([SOON, SOON, answered()], { runs: 8 });
  await run.perform(run.runIds);
  expect(run.requests).toHaveLength(1);
  expect(new Set(await run.statuses())).toEqual(new Set(['running until 2026-05-04T10:02:00.000Z']));
  expect((await findBatchQueuePosition(run.context, run.batchId))?.reasons).toMatchObject([{ kind: 'rate_limit' }]);

  run.clock.ms += 120_000;
  expect(await run.continued()).toEqual(run.runIds.slice(0, 1));
  expect(await run.continued()).toEqual([]);
  await run.perform(run.runIds.slice(0, 1));
  expect(run.requests).toHaveLength(2);
  expect(new Set(await run.statuses())).toEqual(new Set(['running until 2026-05-04T10:04:00.000Z']));

  run.clock.ms += 120_000;
  await run.perform(await run.continued());
  const released: string[][] = [];
  for (let next = run.enqueued(); next.length > 0; next = run.enqueued()) {
    released.push(next);
    await run.perform(next);
  }
  expect(released).toEqual([run.runIds.slice(1, 3), run.runIds.slice(3, 7), run.runIds.slice(7)]);
  expect(new Set(await run.statuses())).toEqual(new Set(['finished']));
  expect(run.requests).toHaveLength(10);
});

test('if the run that finds out ends without a call, the next one finds out after a while', async () => {
  const run = await limitedBatch([SOON, answered()], { runs: 3 });
  await run.perform(run.runIds);
  run.clock.ms += 120_000;
  const [first] = await run.continued();
  unwrap(await stopRun(run.context, TESTER, first ?? ''));
  expect(await run.continued()).toEqual([]);
  run.clock.ms += 15_000;
  expect(await run.continued()).toEqual(run.runIds.slice(1, 2));
});

test('a call that succeeds ends the wait of other runs', async () => {
  const run = await limitedBatch([SOON, answered()], { runs: 3 });
  await run.perform(run.runIds);
  run.clock.ms += 1_000;
  unwrap(await resumeRun(run.context, TESTER, run.runIds[1] ?? ''));
  expect(run.enqueued()).toEqual([run.runIds[1]]);
  await run.perform(run.runIds.slice(1, 2));
  expect(run.enqueued()).toEqual([run.runIds[0], run.runIds[2]]);
});

test.each([
  ['API key', { apiKey: 'key-of-another-account' }],
  ['base URL', { baseUrl: 'http://127.0.0.1:1/v1' }],
])('a new %s of the provider ends the wait for the limit of the old one', async (_name, change) => {
  const run = await limitedBatch([SOON, answered()], { runs: 2, provider: 'metered' });
  await run.perform(run.runIds);
  run.clock.ms += 1_000;
  unwrap(await updateProvider(run.context, TESTER, 'metered', { maxConcurrency: 2 }));
  expect(await run.continued()).toEqual([]);
  unwrap(await updateProvider(run.context, TESTER, 'metered', change));
  expect(await run.continued()).toEqual(run.runIds.slice(0, 1));
  await run.perform(run.runIds.slice(0, 1));
  expect(run.enqueued()).toEqual(run.runIds.slice(1));
  await run.perform(run.runIds.slice(1));
  expect(await run.statuses()).toEqual(['finished', 'finished']);
  await db.database().prisma.provider.deleteMany();
});

test('runs that wait for the limit of a deleted provider continue, to report that it is missing', async () => {
  const run = await limitedBatch([SOON], { runs: 2, provider: 'metered' });
  await run.perform(run.runIds);
  run.clock.ms += 1_000;
  expect(await run.continued()).toEqual([]);
  unwrap(await deleteProvider(run.context, TESTER, 'metered', { evenInUse: true }));
  expect(await run.continued()).toEqual(run.runIds.slice(0, 1));
});

test('a stored provider that replaces one from the environment ends the wait for the limit of the old key', async () => {
  const run = await limitedBatch([SOON], { runs: 2, provider: 'metered' });
  await run.perform(run.runIds);
  await db.database().prisma.provider.deleteMany();
  run.clock.ms += 1_000;
  expect(await run.continued()).toEqual([]);
  const provider = { name: 'metered', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key' };
  unwrap(await saveProvider(run.context, TESTER, provider));
  expect(await run.continued()).toEqual(run.runIds.slice(0, 1));
  await db.database().prisma.provider.deleteMany();
});

test('a batch on hold holds its runs that wait, until it is resumed', async () => {
  const run = await limitedBatch([SOON, limited({ error: { message: 'Incorrect API key' } }, {}, 401), answered()], {
    runs: 2,
  });
  await run.perform(run.runIds.slice(0, 1));
  run.clock.ms += 120_000;
  const [first = '', second = ''] = run.runIds;
  await run.perform([second]);
  expect(await run.statuses()).toEqual(['running until 2026-05-04T10:02:00.000Z', 'failed']);
  expect(await findBatch(db.database(), run.batchId)).toMatchObject({
    status: 'held',
    held: { cause: 'unauthorized' },
  });
  const place = await findQueuePosition(run.context, first);
  expect(place?.reasons).toMatchObject([{ kind: 'batch_held' }]);
  expect(await listHeldBatches(db.database())).toMatchObject([{ id: run.batchId, runs: 2 }]);
  expect(await run.continued()).toEqual([]);

  expect(unwrap(await resumeBatch(run.context, TESTER, run.batchId))).toEqual({ resumed: 2 });
  expect(run.enqueued()).toEqual([second]);
  expect(await run.continued()).toEqual([first]);
  await run.perform(run.runIds);
  expect(await run.statuses()).toEqual(['finished', 'finished']);
});

test('a call releases two runs at most', async () => {
  const run = await limitedBatch([SOON], { runs: 5 });
  await run.perform(run.runIds);
  const [first] = await Promise.all(run.runIds.map((id) => storedRun(db.database(), id)));
  const { provider = '', model = '' } = first?.run.rateLimit ?? {};
  const released = await inTransaction(db.database(), async (transaction) => {
    // Tables with other statistics get this plan: a loop that reads the waiting runs again for each run.
    await transaction.$queryRaw`
      SELECT set_config('enable_' || name, 'off', true)
      FROM unnest(ARRAY['hashagg', 'sort', 'hashjoin', 'mergejoin', 'indexscan', 'bitmapscan', 'material']) name`;
    return releaseWaiting(transaction, { provider, model }, 2);
  });
  expect(released).toEqual(run.runIds.slice(0, 2));
});

test('a run does not wait for a call that has succeeded since', async () => {
  const { context, clock } = await limitedBatch([]);
  const model = { provider: 'practice', model: context.newId() };
  const worker = testWorkerContext(context);
  const [probe, other] = [runRateLimits(worker), runRateLimits(worker)];
  const failure = { ...CANCELLED.failure, retryAt: new Date(START).toISOString() };
  await probe.observe(model, 0, async () => ({ ok: false, failure }));
  clock.ms += 1;
  expect([probe.mayCall(model, 0), other.mayCall(model, 0)]).toEqual([true, false]);
  expect(other.reached()).toMatchObject({ until: new Date(START + 15_001) });
  await probe.observe(model, 0, async () => ({
    ok: true,
    reply: { ...failure, text: 'a', finishReason: 'stop', warnings: [] },
  }));
  expect(other.reached()).toBe('over');
});

test('a run does not wait for the limit of a provider that was changed since', async () => {
  const { context } = await limitedBatch([]);
  const model = { provider: 'practice', model: context.newId() };
  const worker = testWorkerContext(context);
  startListening(worker.database);
  onTestFinished(() => stopListening(worker.database));
  const failure = { ...CANCELLED.failure, retryAt: new Date(START + 3_600_000).toISOString() };
  await runRateLimits(worker).observe(model, 0, async () => ({ ok: false, failure }));
  expect(runRateLimits(worker).mayCall(model, 0)).toBe(false);
  markChanged(worker.database, 'providers');
  expect(runRateLimits(worker).mayCall(model, 0)).toBe(true);
  expect(runRateLimits(worker).mayCall(model, 0)).toBe(false);
});

test('a run whose open step has saved responses makes its next call after the limit', async () => {
  const scored = {
    criteria: [{ name: 'right', score: 1, reason: 'Good.', issues: [], suggestions: [] }],
    confidence: 1,
  };
  const answers = [answered(), turnAnswer('openai', 'no score'), SOON, turnAnswer('openai', JSON.stringify(scored))];
  const run = await limitedBatch(answers, { evaluator: { evaluator: 'llm', config: {} } });
  await run.perform(run.runIds);
  expect(run.requests).toHaveLength(3);
  run.clock.ms += 120_000;
  await run.perform(await run.continued());
  expect(await run.statuses()).toEqual(['finished']);
  expect(run.requests).toHaveLength(4);
});

test('a run that a person resumes too early waits again', async () => {
  const run = await limitedBatch([SOON]);
  await run.perform(run.runIds);
  run.clock.ms += 1_000;
  unwrap(await resumeRun(run.context, TESTER, run.runId));
  await run.perform(await run.continued());
  expect(run.requests).toHaveLength(2);
  expect(await run.statuses()).toEqual(['running until 2026-05-04T10:02:01.000Z']);
});

test('calls that the limit refuses do not use up the call budget of the run', async () => {
  const run = await limitedBatch([SOON, SOON, answered()], { budget: { maxCalls: 1 } });
  for (const status of [
    'running until 2026-05-04T10:02:00.000Z',
    'running until 2026-05-04T10:04:00.000Z',
    'finished',
  ]) {
    await run.perform(run.runIds);
    expect(await run.statuses()).toEqual([status]);
    run.clock.ms += 120_000;
    await run.continued();
  }
  const { run: row } = await storedRun(db.database(), run.runId);
  expect(row).toMatchObject({ convergenceReason: 'quality_met', callCount: 1 });
});

test('a run that waits cannot get another budget', async () => {
  const run = await limitedBatch([SOON]);
  await run.perform(run.runIds);
  const resumed = await resumeRun(run.context, TESTER, run.runId, { budget: { maxCalls: 5 } });
  expect(resumed).toMatchObject({ ok: false, problem: { code: 'conflict', field: 'budget' } });
  expect(await run.statuses()).toEqual(['running until 2026-05-04T10:02:00.000Z']);
});

test('a restart does not enqueue the runs that wait', async () => {
  const run = await limitedBatch([SOON], { runs: 2 });
  await run.perform(run.runIds);
  expect(await unfinishedRunIds(db.database().prisma)).not.toContain(run.runId);
});

test('a person can stop a run that waits', async () => {
  const run = await limitedBatch([SOON]);
  await run.perform(run.runIds);
  expect(unwrap(await stopRun(run.context, TESTER, run.runId))).toEqual({ status: 'stopped' });
  expect(await run.statuses()).toEqual(['stopped']);
});

test('a limit of more than a day fails the run and names the time', async () => {
  const run = await limitedBatch([limited({}, { 'retry-after': String(DAY_SECONDS + 1) })]);
  await run.perform(run.runIds);
  const { run: row, history } = await storedRun(db.database(), run.runId);
  expect(row).toMatchObject({ status: 'failed', convergenceReason: 'model_failed' });
  expect(history.failure).toMatchObject({
    cause: 'rate_limited',
    remedy: expect.stringContaining('accepted again at 5 May 2026, 10:01 UTC'),
  });
});

test('a run that is limited for a day without a response fails', async () => {
  const hours = (count: number) => limited({}, { 'retry-after': String(count * 3600) });
  const run = await limitedBatch([hours(10)]);
  await run.perform(run.runIds);
  for (const status of ['running until 2026-05-05T06:00:00.000Z', 'failed']) {
    run.clock.ms += 10 * 3_600_000;
    await run.perform(await run.continued());

    expect(await run.statuses()).toEqual([status]);
  }
  expect(run.requests).toHaveLength(3);
});
