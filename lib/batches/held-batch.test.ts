import { afterEach, describe, expect, test } from 'vitest';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { testProvider } from '#lib/model-calls/test-provider.ts';
import { saveProvider, updateProvider } from '#lib/models/change-providers.ts';
import { listProviders } from '#lib/models/list-providers.ts';
import { providerDirectory } from '#lib/models/resolve-provider.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import { findBatch } from '#lib/runs/batches.ts';
import {
  completion,
  raw,
  type ScriptedServer,
  startScriptedServer,
  status,
} from '#lib/testing/scripted-server.test-support.ts';
import { TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { resumeBatch } from './resume-batch.ts';
import { startBatch } from './start-batch.ts';

const db = useTestDatabase();
const servers: ScriptedServer[] = [];
afterEach(async () => {
  await db.database().prisma.provider.deleteMany();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Lists one model, accepts one key, and responds with the last word of the prompt. `knows`: the model it serves. */
async function pickyServer(knows = 'echo-1') {
  const server = await startScriptedServer([
    (response, body, request) => {
      if (request.url?.endsWith('/models')) return raw('{"data":[{"id":"echo-1"}]}')(response, body, request);
      if (request.headers.authorization !== 'Bearer sk-right')
        return status(401, 'Incorrect API key provided')(response, body, request);
      if (body.model !== knows) return status(404, 'no such model')(response, body, request);
      const asked = JSON.stringify(body.messages);
      return completion(/Say (\w+)/.exec(asked)?.[1] ?? 'ready')(response, body, request);
    },
  ]);
  servers.push(server);
  return server;
}

const callsOf = ({ requests }: ScriptedServer) =>
  requests.filter(({ url }) => url.endsWith('/chat/completions')).length;

async function startedBatch(server: ScriptedServer, { apiKey, model = 'echo-1' }: { apiKey: string; model?: string }) {
  const context = testContext(db.database());
  unwrap(
    await saveProvider(context, TESTER, { name: 'picky', kind: 'openai-compatible', baseUrl: server.baseUrl, apiKey }),
  );
  const { id } = unwrap(
    await createExperiment(context, TESTER, {
      name: 'Echo',
      mode: 'revise',
      maxIterations: 1,
      generator: { provider: 'picky', model },
      criteria: [{ name: 'same', evaluator: 'reference', config: { match: 'exact' } }],
    }),
  );
  const cases = Array.from({ length: 20 }, (_, at) => ({ input: `Say word${at}`, reference: `word${at}` }));
  const batch = unwrap(await startBatch(context, TESTER, id, { cases }, { idempotencyKey: null, watched: false }));
  return { context, ...batch };
}

/** Performs runs like a worker with four slots. */
async function work(context: ReturnType<typeof testContext>, runIds: readonly string[]) {
  const { resolveProvider, rememberRefused, noteKey } = providerDirectory(context);
  const call = createModelCaller({ resolveProvider, rememberRefused, noteKey, addresses: context.addresses });
  const jobs = runIds.values();
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const runId of jobs) await performRun(testWorkerContext(context, call), runId);
    }),
  );
}

describe('a batch of 20 runs with a rejected key', () => {
  test('makes a few calls, is held with the cause, and completes once the key is corrected', async () => {
    const server = await pickyServer();
    const { context, batchId, runIds } = await startedBatch(server, { apiKey: 'sk-wrong' });
    await work(context, runIds);
    expect(callsOf(server)).toBeLessThanOrEqual(5);
    const held = await findBatch(db.database(), batchId);
    expect(held).toMatchObject({ status: 'held', held: { cause: 'unauthorized', provider: 'picky', model: 'echo-1' } });
    expect((held?.counts.queued ?? 0) + (held?.counts.failed ?? 0)).toBe(20);
    expect(held?.counts.queued).toBeGreaterThanOrEqual(15);
    const [provider] = (await listProviders(context)).filter(({ name }) => name === 'picky');
    expect(provider?.keyState).toMatchObject({ state: 'refused' });

    unwrap(await updateProvider(context, TESTER, 'picky', { apiKey: 'sk-right' }));
    context.sent.length = 0;
    expect(unwrap(await resumeBatch(context, TESTER, batchId))).toEqual({ resumed: 20 });
    expect([...context.sent].sort()).toEqual([...runIds].sort());
    const before = callsOf(server);
    await work(context, context.sent);
    expect(callsOf(server) - before).toBe(20);
    expect(await findBatch(db.database(), batchId)).toMatchObject({
      status: 'finished',
      held: null,
      succeeded: 20,
      counts: { finished: 20, queued: 0, failed: 0 },
    });
    const [after] = (await listProviders(context)).filter(({ name }) => name === 'picky');
    expect(after?.keyState).toMatchObject({ state: 'works' });
  });

  test('stays held if its runs could not be queued', async () => {
    const server = await pickyServer();
    const { context, batchId, runIds } = await startedBatch(server, { apiKey: 'sk-wrong' });
    await work(context, runIds);
    const enqueue = () => Promise.reject(new Error('the process ends here'));
    await expect(resumeBatch({ ...context, enqueue }, TESTER, batchId)).rejects.toThrow('ends here');
    expect(await findBatch(db.database(), batchId)).toMatchObject({ status: 'held' });
  });

  test('is also held if its model does not exist', async () => {
    const server = await pickyServer('another');
    const { context, batchId, runIds } = await startedBatch(server, { apiKey: 'sk-right' });
    await work(context, runIds);
    expect(callsOf(server)).toBeLessThanOrEqual(5);
    expect(await findBatch(db.database(), batchId)).toMatchObject({ status: 'held', held: { cause: 'not_found' } });
  });
});

describe('provider key', () => {
  const keyStateIn = async (context: ReturnType<typeof testContext>) =>
    (await listProviders(context)).find(({ name }) => name === 'picky')?.keyState?.state ?? null;

  test('is tested with one small call, and becomes untested when changed', async () => {
    const server = await pickyServer();
    const { context } = await startedBatch(server, { apiKey: 'sk-wrong' });
    expect(await keyStateIn(context)).toBeNull();
    const refused = unwrap(await testProvider(context, TESTER, 'picky', { call: true }));
    expect(refused).toMatchObject({ ok: false, failed: 'unauthorized' });
    expect(await keyStateIn(context)).toBe('refused');
    unwrap(await updateProvider(context, TESTER, 'picky', { apiKey: 'sk-right' }));
    expect(await keyStateIn(context)).toBeNull();
    const before = callsOf(server);
    expect(unwrap(await testProvider(context, TESTER, 'picky', { call: true }))).toMatchObject({
      ok: true,
      call: { model: 'echo-1' },
    });
    expect(callsOf(server) - before).toBe(1);
    expect(await keyStateIn(context)).toBe('works');
  });
});
