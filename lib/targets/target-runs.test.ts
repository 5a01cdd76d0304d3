import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { ExampleScore, History } from '#lib/core/history.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { TARGET_MODEL } from '#lib/core/targets/target-model.ts';
import { PROPOSAL_FENCE } from '#lib/core/tuning/proposal-prompt.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { providerResolver } from '#lib/models/resolve-provider.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import type { ModelCaller, ModelRequest } from '#lib/providers/call/model-caller.ts';
import type { TargetCall } from '#lib/providers/target/target-call.ts';
import { findExampleScoresOn, listExampleScores } from '#lib/runs/example-scores.ts';
import {
  type Answer,
  raw,
  type ScriptedServer,
  startScriptedServer,
  status,
} from '#lib/testing/scripted-server.test-support.ts';
import {
  queuedRun,
  recordOf,
  storedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { answerJob, claimJobs, renewJobs, signOffWorker } from './jobs.ts';
import { findTargetView, listTargetChoices } from './list-targets.ts';
import { deleteTarget, saveTarget } from './save-target.ts';
import { targetCaller } from './target-caller.ts';

const db = useTestDatabase();
let server: ScriptedServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
  await db.database().prisma.provider.deleteMany();
});

const NEVER = new AbortController().signal;

/** Returns the output of a fake app from its `rules` component (`one=1 two=2`) and the feedback. */
function answerOf({ case: task, components, feedback }: TargetCall): string {
  const known = Object.fromEntries((components.rules ?? '').split(' ').map((rule) => rule.split('=')));
  const instruction = feedback?.guidance.find((one) => one.startsWith('Say '))?.slice(4);
  return (
    instruction ??
    (feedback === null ? undefined : feedback.issues.join(' ').match(/must be (\w+)/)?.[1]) ??
    known[task.input] ??
    '?'
  );
}

function json(value: unknown): Answer {
  return raw(JSON.stringify(value));
}

const app: Answer = (response, body) => json({ output: answerOf(called(body)) })(response, body, response.req);

function called(body: unknown): TargetCall {
  return body as TargetCall;
}

/** Calls targets for real and returns scripted responses for all other requests; `asked` collects all requests. */
function caller(context: AppContext, says: (request: ModelRequest) => string, options: { timeoutMs?: number } = {}) {
  const asked: ModelRequest[] = [];
  const ofTargets = createModelCaller({
    addresses: context.addresses,
    resolveProvider: providerResolver(context),
    callTarget: targetCaller(context),
    sleep: async () => {},
    ...options,
  });
  const call: ModelCaller = async (request, how) => {
    asked.push(request);
    if (request.model.model === TARGET_MODEL) return ofTargets(request, how);
    const tokenUsage = { input: 1, output: 1, total: 2 };
    const reply = {
      text: says(request),
      finishReason: 'stop',
      tokenUsage,
      costUsd: 0,
      latencyMs: 1,
      attempts: 1,
      warnings: [],
    };
    return { ok: true, reply };
  };
  return { call, asked };
}

const CRITIQUE = JSON.stringify({
  summary: 'Wrong.',
  issues: [{ text: 'It must be 1.', criterion: null }],
  suggestions: ['Say 1.'],
});

function settings(changes: Partial<ExperimentSettingsInput> = {}): ExperimentSettingsInput {
  return {
    mode: 'revise',
    generator: {
      ...{ provider: 'practice', model: 'practice-1' },
      target: { name: 'my-app', components: { rules: 'two=2', tone: 'kind' } },
    },
    criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }],
    qualityThreshold: 1,
    convergence: null,
    ...changes,
  };
}

async function httpTarget(context: AppContext, answers: Answer[], more: object = {}): Promise<ScriptedServer> {
  server = await startScriptedServer(answers);
  unwrap(await saveTarget(context, TESTER, 'my-app', { kind: 'http', url: server.baseUrl, ...more }));
  return server;
}

/** Returns the example scores of a history, each with its stored trace. */
async function triesWithTraces(runId: string, { tries }: History): Promise<ExampleScore[]> {
  const stored = await db.database().prisma.caseTry.findMany({ where: { runId } });
  return tries.map((tried) => {
    const isIt = (one: (typeof stored)[number]) =>
      one.version === tried.version && one.position === tried.position && one.attempt === tried.attempt;
    const trace = stored.find(isIt)?.trace ?? null;
    return trace === null ? tried : { ...tried, trace };
  });
}

describe('a run that uses a target as its generator', () => {
  test('revises with feedback on the last output', async () => {
    const context = testContext(db.database());
    const { requests } = await httpTarget(context, [app], { secret: 'a secret of the app' });
    const runId = await queuedRun(context, settings(), { input: 'one', reference: '1' });

    await performRun(testWorkerContext(context, caller(context, () => CRITIQUE).call), runId);

    const record = await recordOf(db.database(), runId);
    expect(record).toMatchObject({ failure: null, success: true });
    expect(record.versions.map(({ output }) => output)).toEqual(['?', '1']);
    const [draft, revision] = requests.map(({ body }) => called(body));
    expect(draft).toMatchObject({
      ...{ target: 'my-app', run: { id: runId }, purpose: 'attempt', version: 0, feedback: null, lessons: [] },
      case: { input: 'one', tags: [], metadata: {} },
      components: { rules: 'two=2', tone: 'kind' },
    });
    expect(JSON.stringify(draft)).not.toContain('reference');
    expect(revision).toMatchObject({
      purpose: 'revision',
      version: 1,
      feedback: { output: '?', score: 0, issues: ['It must be 1.'] },
    });
    expect(new Set(requests.map(({ body }) => called(body).id)).size).toBe(2);
    const [{ headers = {} } = {}] = requests;
    const signed = `${headers['hone-timestamp']}.${JSON.stringify(draft)}`;
    expect(headers['hone-signature']).toBe(createHmac('sha256', 'a secret of the app').update(signed).digest('hex'));
    expect(headers['idempotency-key']).toBe(draft?.id);
  });

  test('retries with lessons, and uses the tokens and score that the app reports', async () => {
    const context = testContext(db.database());
    const { requests } = await httpTarget(context, [
      (response, body) =>
        json({
          output: called(body).lessons.length > 0 ? 'good' : 'bad',
          score: called(body).lessons.length > 0 ? 1 : 0.25,
          feedback: 'Too short.',
          trace: { steps: ['searched'] },
          usage: { inputTokens: 30, outputTokens: 5, costUsd: 0.25 },
        })(response, body, response.req),
    ]);
    const criteria = [{ name: 'own', evaluator: 'target' as const, config: {} }];
    const runId = await queuedRun(context, settings({ mode: 'retry', criteria }), { input: 'one' });
    const { call, asked } = caller(context, () => 'Write more.');

    await performRun(testWorkerContext(context, call), runId);

    const record = await recordOf(db.database(), runId);
    expect(record).toMatchObject({ failure: null, success: true });
    expect(record.versions.map(({ evaluations }) => evaluations[0]?.overallScore)).toEqual([0.25, 1]);
    expect(called(requests[1]?.body).lessons).toEqual(['Write more.']);
    const { history } = await storedRun(db.database(), runId);
    expect(history.versions[0]).toMatchObject({
      ...{ costUsd: 0.25, tokenUsage: { input: 30, output: 5, total: 35 } },
      target: { score: 0.25, feedback: 'Too short.', trace: '{"steps":["searched"]}' },
    });
    const [lesson] = asked.filter(({ role }) => role === 'lesson');
    expect(lesson?.prompt).toContain('searched');
    expect(lesson?.prompt).toContain('Too short.');
  });

  test('calls the target again only after its last output was saved', async () => {
    const context = testContext(db.database());
    const { requests } = await httpTarget(context, [app]);
    const twice = settings({ mode: 'retry', lessons: { store: 'none', write: 'off' } });
    const runId = await queuedRun(context, twice, { input: 'one', reference: '1' });
    const real = testWorkerContext(context, caller(context, () => '').call);
    const callsAtSaves: number[] = [];
    const save: typeof real.save = async (one) => {
      await sleep(100);
      callsAtSaves.push(requests.length);
      return real.save(one);
    };

    await performRun({ ...real, save }, runId);

    expect(callsAtSaves).toEqual([1, 2, 3]);
  });

  test('tunes one component and leaves the others alone', async () => {
    const context = testContext(db.database());
    const { requests } = await httpTarget(context, [app]);
    const generator = {
      ...{ provider: 'practice', model: 'practice-1' },
      target: { name: 'my-app', components: { rules: 'zero=0', tone: 'kind' }, tuned: 'rules' },
    };
    const tuning = settings({
      mode: 'tune',
      generator,
      maxIterations: 1,
      tune: { heldOutShare: 0.25, minibatchSize: 2, maxRepeats: 1 },
    });
    const experiment = unwrap(await createExperiment(context, TESTER, { name: 'tuned', ...tuning }));
    const cases = ['one', 'two', 'three', 'four'].map((input, index) => ({ input, reference: String(index + 1) }));
    const started = unwrap(
      await startBatch(context, TESTER, experiment.id, { cases }, { idempotencyKey: null, watched: false }),
    );
    const runId = started.runIds[0] ?? '';
    const better = 'one=1 two=2 three=3 four=4';
    const { call, asked } = caller(context, () => `It knows nothing.\n${PROPOSAL_FENCE}\n${better}\n${PROPOSAL_FENCE}`);

    await performRun(testWorkerContext(context, call), runId);

    const record = await recordOf(db.database(), runId);
    expect(record).toMatchObject({ failure: null });
    expect(record.versions.map(({ output }) => output)).toEqual(['zero=0', better]);
    const { history } = await storedRun(db.database(), runId);
    const heldOut = history.cases.filter(({ split }) => split === 'held_out').map(({ position }) => position);
    const scores = history.tries
      .filter(({ position }) => heldOut.includes(position))
      .map(({ version, score }) => [version, score]);
    expect(scores).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(new Set(requests.map(({ body }) => called(body).components.tone))).toEqual(new Set(['kind']));
    const [proposal] = asked.filter(({ role }) => role === 'reflect');
    expect(proposal?.prompt).toContain('"rules" of the app');
    expect(proposal?.prompt).toContain('tone:\nkind');
  });

  /** Returns a fake app whose search needs the right index, which neither its output nor its score reveals. */
  function searching(withTrace: boolean): Answer {
    return (response, body) => {
      const { case: task, components } = called(body);
      const isRight = components.query === 'Search the index live.';
      const found = isRight ? `price of ${task.input}` : `No page on ${task.input}. Prices are in the index live.`;
      const trace = [
        { name: 'plan', component: 'tone', output: 'search first' },
        { name: 'search', component: 'query', input: task.input, output: found, headers: { Authorization: 'hidden' } },
      ];
      return json({ output: isRight ? 'yes' : 'no', ...(withTrace && { trace }) })(response, body, response.req);
    };
  }

  async function tunedBySearch(context: AppContext, withTrace: boolean) {
    await httpTarget(context, [searching(withTrace)]);
    const target = { name: 'my-app', components: { query: 'Search.', tone: 'kind' }, tuned: 'query' };
    const tuning = settings({
      mode: 'tune',
      generator: { provider: 'practice', model: 'practice-1', target },
      maxIterations: 1,
      tune: { minibatchSize: 2, maxRepeats: 1 },
    });
    const experiment = unwrap(await createExperiment(context, TESTER, { name: `searched ${withTrace}`, ...tuning }));
    const cases = ['train', 'train', 'validation', 'held_out'].map((split, index) => ({
      input: `${split} item ${index}`,
      reference: 'yes',
      tags: [split],
    }));
    const started = unwrap(
      await startBatch(context, TESTER, experiment.id, { cases }, { idempotencyKey: null, watched: false }),
    );
    const runId = started.runIds[0] ?? '';
    const { call, asked } = caller(context, ({ prompt }) => {
      const [, index = 'of everything'] = /Prices are in the index (\w+)/.exec(prompt) ?? [];
      return `It names no index.\n${PROPOSAL_FENCE}\nSearch the index ${index}.\n${PROPOSAL_FENCE}`;
    });
    await performRun(testWorkerContext(context, call), runId);
    const { history } = await storedRun(db.database(), runId);
    return { runId, history, proposals: asked.filter(({ role }) => role === 'reflect').map(({ prompt }) => prompt) };
  }

  test('proposes a fix that only the trace of a training case reveals', async () => {
    const context = testContext(db.database());
    const { runId, history, proposals } = await tunedBySearch(context, true);

    expect(history.versions.map(({ output }) => output)).toEqual(['Search.', 'Search the index live.']);
    expect(history.evaluations.map(({ overallScore }) => overallScore)).toEqual([0, 1]);
    expect(proposals.join()).toContain('No page on train item 0');
    expect(proposals.join()).not.toMatch(/(validation|held_out) item/);
    const tries = await triesWithTraces(runId, history);
    const [first] = tries;
    expect(first?.trace?.split('\n').map((line) => JSON.parse(line).name)).toEqual(['plan', 'search']);
    expect(JSON.stringify(tries)).toContain('[secret]');
    expect(JSON.stringify([tries, proposals])).not.toContain('hidden');
    const listed = await listExampleScores(db.database(), runId, { cursor: null, limit: 100 });
    expect(listed.items).toHaveLength(tries.length);
    expect(listed.items.filter(({ trace }) => trace !== undefined)).toEqual([]);
    const withTraces = await listExampleScores(db.database(), runId, { cursor: null, limit: 100, withTraces: true });
    expect(withTraces.items.map(({ trace }) => trace).toSorted()).toEqual(tries.map(({ trace }) => trace).toSorted());
    const position = first?.position ?? -1;
    const found = await findExampleScoresOn(db.database(), runId, [{ positions: [position] }], {
      positions: [position],
      versions: [0],
    });
    const ofCase = tries.filter((tried) => tried.position === position);
    expect(new Set(ofCase.map(({ version }) => version))).toEqual(new Set([0, 1]));
    expect(found).toEqual(ofCase.map(({ trace, ...tried }) => (tried.version === 0 ? { ...tried, trace } : tried)));
  });

  test('does not find the fix if the target sends no trace', async () => {
    const { runId, history } = await tunedBySearch(testContext(db.database()), false);
    expect(history.versions.map(({ output }) => output)).toEqual(['Search.', 'Search the index of everything.']);
    const tries = await triesWithTraces(runId, history);
    expect(tries.every(({ trace, score }) => trace === undefined && score === 0)).toBe(true);
  });

  test('reads the text of an AI SDK stream, and its tool calls as the trace', async () => {
    const context = testContext(db.database());
    const events = [
      { type: 'start' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'search', input: { q: 'x' } },
      { type: 'tool-output-available', toolCallId: 'c', output: 'page 1' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'a' },
      { type: 'text-delta', id: 't', delta: 'b' },
      { type: 'text-end', id: 't' },
      { type: 'data-hone', data: { score: 0.5 } },
      { type: 'finish' },
    ];
    const stream = `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;
    await httpTarget(context, [raw(stream, 'text/event-stream')]);
    const runId = await queuedRun(context, settings({ maxIterations: 0 }), { input: 'one', reference: 'ab' });

    await performRun(testWorkerContext(context, caller(context, () => CRITIQUE).call), runId);

    const { history } = await storedRun(db.database(), runId);
    expect(history.versions[0]).toMatchObject({ output: 'ab', target: { score: 0.5 } });
    expect(history.versions[0]?.target?.trace).toBe('{"name":"search","input":{"q":"x"},"output":"page 1"}');
  });
});

describe('failures of an HTTP target', () => {
  const FAULTS: Record<string, { answers: Answer[]; kind: string; says: string; calls: number }> = {
    'HTTP 500 every time': {
      answers: [status(500, 'out of memory')],
      ...{ kind: 'unavailable', says: 'The target "my-app" responded with HTTP 500: out of memory', calls: 4 },
    },
    'HTTP 401': {
      answers: [status(401, 'bad signature')],
      ...{ kind: 'unauthorized', says: 'responded with HTTP 401: bad signature', calls: 1 },
    },
    'a response of the wrong shape': {
      answers: [json({ text: 'hello' })],
      ...{ kind: 'malformed', says: 'cannot be used: output must be a text', calls: 1 },
    },
    'a response that is not JSON': {
      answers: [raw('<p>hi', 'text/html')],
      ...{ kind: 'malformed', says: 'it is no JSON', calls: 1 },
    },
    'an output of 5 MB': {
      answers: [json({ output: 'x'.repeat(5_000_000) })],
      ...{ kind: 'malformed', says: 'output must have at most 1,000,000 characters', calls: 1 },
    },
    'no response': {
      answers: [() => {}],
      ...{ kind: 'timeout', says: 'The target "my-app" did not respond within 0.2 s.', calls: 2 },
    },
    'a truncated response': {
      answers: [
        (response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.write('{"output": "ha');
          setImmediate(() => response.destroy());
        },
      ],
      ...{ kind: 'network', says: 'the target "my-app"', calls: 4 },
    },
    'a stream that the app aborts': {
      answers: [
        raw('data: {"type":"text-delta","id":"t","delta":"ha"}\n\ndata: {"type":"abort"}\n\n', 'text/event-stream'),
      ],
      ...{ kind: 'network', says: 'ended early', calls: 4 },
    },
    'a stream of AI SDK 4': {
      answers: [
        (response) => {
          response.setHeader('x-vercel-ai-data-stream', 'v1');
          raw('0:"ha"\nd:{"finishReason":"stop"}\n', 'text/plain; charset=utf-8')(response, {}, response.req);
        },
      ],
      ...{ kind: 'malformed', says: 'it is a stream of AI SDK 4', calls: 1 },
    },
    'a stream of another format': {
      answers: [raw('data: {"choices":[]}\n\n', 'text/event-stream')],
      ...{ kind: 'malformed', says: 'Type validation failed: Value: {"choices":[]}.', calls: 1 },
    },
    'a redirect': {
      answers: [(response) => response.writeHead(302, { location: '/login' }).end()],
      ...{ kind: 'bad_request', says: 'HTTP 302: It redirects to /login.', calls: 1 },
    },
    'an error with the address of something else': {
      answers: [(response) => response.writeHead(400, 'No', { location: '/help' }).end()],
      ...{ kind: 'bad_request', says: 'HTTP 400: No', calls: 1 },
    },
    'a trace that is nested too deeply': {
      answers: [raw(`{"output":"1","trace":${'['.repeat(60)}${']'.repeat(60)}}`)],
      ...{ kind: 'malformed', says: 'trace must be nested at most 50 levels deep', calls: 1 },
    },
    'a trace of 2 MB': {
      answers: [json({ output: '1', trace: ['x'.repeat(2_000_000)] })],
      ...{ kind: 'malformed', says: 'trace must have at most 1,000,000 characters', calls: 1 },
    },
    'an impossible token count': {
      answers: [json({ output: '1', usage: { inputTokens: 3e9, outputTokens: 1 } })],
      ...{ kind: 'malformed', says: 'usage.inputTokens must be from 0 to 100,000,000', calls: 1 },
    },
    'an error in its stream': {
      answers: [raw('data: {"type":"error","errorText":"no key"}\n\n', 'text/event-stream')],
      ...{ kind: 'unavailable', says: 'reported an error: no key', calls: 4 },
    },
  };

  test.each(Object.entries(FAULTS))(
    '%s fails the run with a reason',
    async (_fault, { answers, kind, says, calls }) => {
      const context = testContext(db.database());
      const { requests } = await httpTarget(context, answers);
      const runId = await queuedRun(context, settings(), { input: 'one', reference: '1' });

      // A loaded machine takes longer than the timeout of a server that never responds.
      const timeoutMs = kind === 'timeout' ? 200 : 30_000;
      await performRun(testWorkerContext(context, caller(context, () => CRITIQUE, { timeoutMs }).call), runId);

      const { failure, versions } = await recordOf(db.database(), runId);
      expect(failure).toMatchObject({ cause: kind, message: expect.stringContaining(says) });
      expect(failure?.remedy).toMatch(/resume the run/);
      expect(versions).toEqual([]);
      expect(requests).toHaveLength(calls);
      expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    },
  );

  test('a single HTTP 500 is retried', async () => {
    const context = testContext(db.database());
    const { requests } = await httpTarget(context, [status(500, 'restarting'), json({ output: '1' })]);
    const runId = await queuedRun(context, settings(), { input: 'one', reference: '1' });

    await performRun(testWorkerContext(context, caller(context, () => CRITIQUE).call), runId);

    expect(await recordOf(db.database(), runId)).toMatchObject({ failure: null, success: true });
    expect(requests).toHaveLength(2);
  });

  test('keeps a result that arrives before the response that accepts the call', async () => {
    const context = testContext(db.database());
    const early: Answer = async (response, body) => {
      unwrap(await answerJob(context, 'my-app', called(body).id, { output: '1' }));
      response.writeHead(202).end();
    };
    await httpTarget(context, [early]);
    const runId = await queuedRun(context, settings(), { input: 'one', reference: '1' });
    await performRun(testWorkerContext(context, caller(context, () => CRITIQUE).call), runId);
    expect(await recordOf(db.database(), runId)).toMatchObject({ failure: null, success: true });
  });

  test('takes a late result of a long job once, also after a restart', async () => {
    const context = testContext(db.database());
    const accept: Answer = (response: ServerResponse) => void response.writeHead(202).end();
    const { requests } = await httpTarget(context, [accept]);
    const runId = await queuedRun(context, settings(), { input: 'one', reference: '1' });
    const stopping = new AbortController();
    const first = performRun(testWorkerContext(context, caller(context, () => CRITIQUE).call, stopping.signal), runId);
    await expect.poll(() => db.database().prisma.targetJob.count()).toBe(1);
    stopping.abort();
    await expect(first).rejects.toThrow();
    const { id = '', callbackUrl } = called(requests[0]?.body);
    expect(callbackUrl).toBe(`http://127.0.0.1:3000/api/v1/targets/my-app/jobs/${id}/result`);

    expect(unwrap(await answerJob(context, 'my-app', id, { output: '1' }))).toMatchObject({ accepted: true });
    expect(unwrap(await answerJob(context, 'my-app', id, { output: '1' }))).toMatchObject({ accepted: true });
    expect(unwrap(await answerJob(context, 'my-app', id, { output: '2' }))).toMatchObject({ accepted: false });
    await performRun(testWorkerContext(context, caller(context, () => CRITIQUE).call), runId);

    expect(await recordOf(db.database(), runId)).toMatchObject({ failure: null, success: true });
    expect(requests).toHaveLength(1);
  });
});

describe('a target that connects to Hone', () => {
  async function connected(context: AppContext): Promise<void> {
    unwrap(await saveTarget(context, TESTER, 'my-app', { kind: 'sdk', components: { rules: { text: 'one=1' } } }));
  }

  async function claim(context: AppContext, worker: string, waitSeconds = 5) {
    return unwrap(await claimJobs(context, 'my-app', { worker, max: 5, waitSeconds }, NEVER)).jobs;
  }

  test('claims the job, and its output is scored', async () => {
    const context = testContext(db.database());
    await connected(context);
    const runId = await queuedRun(context, settings(), { input: 'two', reference: '2' });
    const run = performRun(testWorkerContext(context, caller(context, () => CRITIQUE).call), runId);

    const [job] = await claim(context, 'w1');
    expect(job).toMatchObject({ attempt: 1, input: { purpose: 'attempt', callbackUrl: null, case: { input: 'two' } } });
    unwrap(await answerJob(context, 'my-app', job?.id ?? '', { worker: 'w1', output: answerOf(called(job?.input)) }));
    await run;

    expect(await recordOf(db.database(), runId)).toMatchObject({ failure: null, success: true });
    expect(await claim(context, 'w1', 0)).toEqual([]);
  });

  test('gets the reason if its trace is rejected, and can send a corrected result', async () => {
    const context = testContext(db.database());
    await connected(context);
    const runId = await queuedRun(context, settings(), { input: 'two', reference: '2' });
    const run = performRun(testWorkerContext(context, caller(context, () => CRITIQUE).call), runId);
    const [{ id = '' } = {}] = await claim(context, 'w');
    const deep: unknown = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`);
    for (const [trace, message] of [
      [deep, /nested at most 50 levels deep/],
      ['x'.repeat(1_000_001), /at most 1,000,000 characters/],
    ] as const)
      expect(await answerJob(context, 'my-app', id, { worker: 'w', output: '2', trace })).toMatchObject({
        ok: false,
        problem: { field: 'trace', message: expect.stringMatching(message) },
      });
    unwrap(await answerJob(context, 'my-app', id, { worker: 'w', output: '2', trace: [{ name: 'added' }, 'done'] }));
    await run;
    const { history } = await storedRun(db.database(), runId);
    expect(history.versions[0]?.target?.trace).toBe('{"name":"added"}\n"done"');
  });

  test('reassigns the job of a lost worker, and takes only one result', async () => {
    let later = 0;
    const context = { ...testContext(db.database()), now: () => new Date(Date.now() + later) };
    await connected(context);
    const runId = await queuedRun(context, settings(), { input: 'two', reference: '2' });
    const run = performRun(testWorkerContext(context, caller(context, () => CRITIQUE).call), runId);
    const [job] = await claim(context, 'killed');
    const id = job?.id ?? '';
    expect(await claim(context, 'other', 0)).toEqual([]);
    expect(unwrap(await renewJobs(context, 'my-app', { worker: 'killed', jobs: [id] }))).toEqual({
      held: [id],
      lost: [],
    });

    later = 31_000;
    const [again] = await claim(context, 'other');

    expect(again).toMatchObject({ id, attempt: 2 });
    expect(unwrap(await renewJobs(context, 'my-app', { worker: 'killed', jobs: [id] }))).toEqual({
      held: [],
      lost: [id],
    });
    expect(unwrap(await answerJob(context, 'my-app', id, { worker: 'other', output: '2' })).accepted).toBe(true);
    expect(unwrap(await answerJob(context, 'my-app', id, { worker: 'killed', output: '3' })).accepted).toBe(false);
    await run;
    const record = await recordOf(db.database(), runId);
    expect(record.versions.map(({ output }) => output)).toEqual(['2']);
  });

  test('is disconnected after sign-off, even with a pending claim', async () => {
    let later = 0;
    const context = { ...testContext(db.database()), now: () => new Date(Date.now() + later) };
    await connected(context);
    const { signal } = new AbortController();
    const workers = async () => (await findTargetView(context, 'my-app'))?.workers.map(({ worker }) => worker);
    await claim(context, 'other', 0);
    const claiming = claimJobs(context, 'my-app', { worker: 'w', max: 1, waitSeconds: 20 }, signal);
    await vi.waitFor(async () => expect((await workers())?.toSorted()).toEqual(['other', 'w']));

    expect(unwrap(await signOffWorker(context, 'my-app', { worker: 'w' }))).toEqual({ deleted: { workers: 1 } });
    later = 11_000;

    expect(unwrap(await claiming).jobs).toEqual([]);
    expect(await workers()).toEqual(['other']);
    expect(unwrap(await signOffWorker(context, 'my-app', { worker: 'w' }))).toEqual({ deleted: { workers: 0 } });
    expect(await listTargetChoices(context)).toMatchObject([{ name: 'my-app', isConnected: true }]);
    unwrap(await signOffWorker(context, 'my-app', { worker: 'other' }));
    expect(await listTargetChoices(context)).toMatchObject([{ name: 'my-app', isConnected: false }]);
  });

  test('an error fails the run; a retryable error first hands out the job again', async () => {
    const context = testContext(db.database());
    await connected(context);
    const runId = await queuedRun(context, settings(), { input: 'two', reference: '2' });
    const run = performRun(testWorkerContext(context, caller(context, () => CRITIQUE).call), runId);
    for (const attempt of [1, 2, 3, 4, 5]) {
      const [job] = await claim(context, 'w');
      expect(job?.attempt).toBe(attempt);
      unwrap(await answerJob(context, 'my-app', job?.id ?? '', { error: { message: 'busy', retry: true } }));
    }
    await run;

    const { failure } = await recordOf(db.database(), runId);
    expect(failure).toMatchObject({ cause: 'unavailable', message: 'The target "my-app" reported an error: busy' });
    expect(await db.database().prisma.targetJob.count({ where: { runId } })).toBe(0);
  });

  test('a worker that lost its job cannot release it', async () => {
    let later = 0;
    const context = { ...testContext(db.database()), now: () => new Date(Date.now() + later) };
    await connected(context);
    const runId = await queuedRun(context, settings(), { input: 'two', reference: '2' });
    const run = performRun(testWorkerContext(context, caller(context, () => CRITIQUE).call), runId);
    const [{ id = '' } = {}] = await claim(context, 'slow');
    later = 31_000;
    await claim(context, 'other');

    for (const retry of [true, false]) {
      const given = await answerJob(context, 'my-app', id, { worker: 'slow', error: { message: 'Stopped.', retry } });
      expect(unwrap(given)).toEqual({ accepted: false, reason: 'Another worker has the job.' });
    }
    unwrap(await answerJob(context, 'my-app', id, { worker: 'other', output: '2' }));
    await run;
    expect(await recordOf(db.database(), runId)).toMatchObject({ failure: null, success: true });
  });

  test('a job that no worker completes fails the run', async () => {
    let later = 0;
    const context = { ...testContext(db.database()), now: () => new Date(Date.now() + later) };
    await connected(context);
    const runId = await queuedRun(context, settings(), { input: 'two', reference: '2' });
    const run = performRun(testWorkerContext(context, caller(context, () => CRITIQUE).call), runId);
    for (let attempt = 1; attempt <= 5; attempt++) {
      await claim(context, 'killed');
      later += 31_000;
    }
    expect(await claim(context, 'killed', 0)).toEqual([]);
    await run;

    const { failure } = await recordOf(db.database(), runId);
    expect(failure?.message).toContain('No worker finished the job in 5 attempts.');
  });

  test('a call ends if its target is deleted', async () => {
    const context = testContext(db.database());
    await connected(context);
    const runId = await queuedRun(context, settings(), { input: 'two', reference: '2' });
    const run = performRun(testWorkerContext(context, caller(context, () => CRITIQUE).call), runId);
    await claim(context, 'w');
    unwrap(await deleteTarget(context, TESTER, 'my-app', { evenInUse: true }));
    await run;

    const { failure } = await recordOf(db.database(), runId);
    expect(failure?.message).toContain('was deleted while Hone waited');
  });
});

describe('a target is rejected', () => {
  test.each(['practice', 'openai', 'anthropic'])('if it has the name of a provider: %s', async (name) => {
    const context = testContext(db.database());
    const saved = await saveTarget(context, TESTER, name, { kind: 'sdk' });
    expect(saved).toMatchObject({ ok: false, problem: { field: 'name' } });
  });

  test('if it would replace an HTTP target', async () => {
    const context = testContext(db.database());
    await httpTarget(context, [app], { secret: 'a secret of the app' });
    const saved = await saveTarget(context, { ...TESTER, role: 'editor' }, 'my-app', { kind: 'sdk' });
    expect(saved).toMatchObject({ ok: false, problem: { code: 'conflict', field: 'kind' } });
  });

  test('if an editor sets a URL', async () => {
    const context = testContext(db.database());
    const input = { kind: 'http', url: 'http://127.0.0.1:9' };
    const saved = await saveTarget(context, { ...TESTER, role: 'editor' }, 'my-app', input);
    expect(saved).toMatchObject({ ok: false, problem: { code: 'forbidden' } });
  });
});
