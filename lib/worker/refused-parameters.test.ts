import { afterEach, describe, expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { withModels } from '#lib/model-calls/stored-models.ts';
import { testProvider } from '#lib/model-calls/test-provider.ts';
import { deleteProvider, saveProvider, updateProvider } from '#lib/models/change-providers.ts';
import { listProviders } from '#lib/models/list-providers.ts';
import { providerDirectory } from '#lib/models/resolve-provider.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import { TURN_KINDS } from '#lib/providers/turn-answers.test-support.ts';
import { findRunWarnings } from '#lib/runs/queries.ts';
import {
  completion,
  type ScriptedServer,
  startScriptedServer,
  status,
} from '#lib/testing/scripted-server.test-support.ts';
import { recordOf, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';
import { type Refusal, refusedBy, refusingServer, type ServedKind } from './refusing-server.test-support.ts';

const db = useTestDatabase();
let server: ScriptedServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

/** Every role has a temperature and all sampling parameters; only revisions have a token limit. */
function settingsOf(provider: string, changes: Partial<ExperimentSettingsInput>): ExperimentSettingsInput {
  const role = (model: string) => ({ provider, model });
  // Claude models with reasoning are sent no temperature.
  const reasoningEffort = provider.endsWith('anthropic') ? null : ('low' as const);
  const own = { topP: 0.9, seed: 7, stopSequences: ['END'], reasoningEffort };
  return {
    mode: 'revise',
    generator: { ...role('writer'), instructions: 'You write.', temperature: 0.2 },
    temperatures: { revise: 0.2, evaluate: 0.2, reflect: 0.2, lesson: 0.2 },
    modelSettings: { generate: own, revise: own, evaluate: own, reflect: own, lesson: own },
    evaluatorModel: role('judge'),
    reflectionModel: role('critic'),
    criteria: [{ name: 'right', evaluator: 'llm' }],
    revision: { strategy: 'full_rewrite', maxTokens: 500 },
    maxIterations: 3,
    maxAttempts: 3,
    ...changes,
  };
}

const RUNS: Record<string, (provider: string) => ExperimentSettingsInput> = {
  revise: (provider) => settingsOf(provider, {}),
  retry: (provider) => settingsOf(provider, { mode: 'retry' }),
  tune: (provider) =>
    settingsOf(provider, { mode: 'tune', prompts: { generate: 'Say it: {{input}}' }, tune: { heldOutShare: 0 } }),
  agent: (provider) =>
    settingsOf(provider, {
      mode: 'retry',
      generator: {
        ...{ provider, model: 'writer', instructions: 'You work.', temperature: 0.2 },
        base: { type: 'react', tools: ['calculator'], maxSteps: 4 },
      },
    }),
};

/** Performs one run with a new model caller, as after a restart of the process. Returns its id. */
async function performed(shop: ReturnType<typeof testContext>, settings: ExperimentSettingsInput): Promise<string> {
  const { id } = unwrap(await createExperiment(shop, TESTER, { name: 'refused', ...settingsSchema.parse(settings) }));
  const cases = settings.mode === 'tune' ? ['one', 'two', 'three', 'four'] : ['one'];
  const started = unwrap(
    await startBatch(
      shop,
      TESTER,
      id,
      { cases: cases.map((input) => ({ input })) },
      { idempotencyKey: null, watched: false },
    ),
  );
  const runId = started.runIds[0] ?? '';
  const { resolveProvider, rememberRefused } = providerDirectory(shop);
  await performRun(
    testWorkerContext(shop, createModelCaller({ addresses: shop.addresses, resolveProvider, rememberRefused })),
    runId,
  );
  return runId;
}

describe.each(TURN_KINDS)('a model of %s that rejects parameters', (kind) => {
  test('completes revise, retry, tune and agent runs; each parameter is rejected once', async () => {
    const refused: Refusal[] = [];
    server = await startScriptedServer([refusingServer(kind, refused)]);
    const shop = testContext(db.database());
    const name = `refuses-${kind}`;
    unwrap(await saveProvider(shop, TESTER, { name, kind, baseUrl: server.baseUrl, apiKey: 'key-12345678' }));

    for (const [run, settings] of Object.entries(RUNS)) {
      const runId = await performed(shop, settings(name));
      const record = await recordOf(db.database(), runId);
      expect({ run, failure: record.failure, success: record.success }).toEqual({ run, failure: null, success: true });
      const { warnings, maybeBilled } = await findRunWarnings(db.database(), runId);
      expect(warnings.map(({ text }) => text)).toContain(
        `${name}/writer rejects temperature. Hone no longer sends it.`,
      );
      expect(maybeBilled).toBeNull();
    }

    const found = refused.map(({ model, parameter }) => `${model} ${parameter}`);
    expect(found.toSorted()).toEqual([...new Set(found)].toSorted());
    expect([...new Set(refused.map(({ parameter }) => parameter))].toSorted()).toEqual(refusedBy(kind).toSorted());
    for (const model of ['writer', 'judge', 'critic']) expect(found).toContain(`${model} temperature`);

    const view = (await listProviders(shop)).find((provider) => provider.name === name);
    expect(view?.refused.map(({ model, parameter }) => `${model} ${parameter}`).toSorted()).toEqual(found.toSorted());
    expect(view?.refused[0]?.message).toMatch(/HTTP 400/);
  });
});

describe('a rejected model parameter', () => {
  const REFUSES = status(400, "Unsupported parameter: 'temperature' is not supported with this model.");
  const refusing = (
    response: Parameters<typeof REFUSES>[0],
    body: Record<string, unknown>,
    request: Parameters<typeof REFUSES>[2],
  ) =>
    body.temperature === undefined
      ? completion('{"word":"ready"}')(response, body, request)
      : REFUSES(response, body, request);

  async function refusedAtOnce(kind: ServedKind = 'openai-compatible') {
    server = await startScriptedServer([refusing]);
    const shop = testContext(db.database());
    const name = `p${Math.random().toString(36).slice(2, 10)}`;
    unwrap(await saveProvider(shop, TESTER, { name, kind, baseUrl: server.baseUrl, apiKey: 'key-12345678' }));
    const ask = async () => {
      const from = server?.requests.length ?? 0;
      const outcome = await withModels(shop, { experimentId: null, purpose: 'playground' }, (call) =>
        call(
          {
            ...{ role: 'generate', ordinal: 0, model: { provider: name, model: 'm' }, instructions: '', prompt: 'Hi' },
            ...{ temperature: 0.5, maxOutputTokens: null, output: null },
          },
          { signal: new AbortController().signal, onText: null },
        ),
      );
      return { outcome, requests: (server?.requests.length ?? 0) - from };
    };
    const refused = async () => (await listProviders(shop)).find((provider) => provider.name === name)?.refused ?? [];
    expect(await ask()).toMatchObject({ outcome: { ok: true, reply: { attempts: 2 } }, requests: 2 });
    return { shop, name, ask, refused };
  }

  test('is stored for all processes and reported on every call', async () => {
    const { ask, refused, name } = await refusedAtOnce();
    expect(await refused()).toMatchObject([{ model: 'm', parameter: 'temperature' }]);
    const { outcome, requests } = await ask();
    expect(requests).toBe(1);
    expect(outcome).toMatchObject({
      reply: { attempts: 1, warnings: [`${name}/m rejects temperature. Hone no longer sends it.`] },
    });
  });

  test('is cleared by forgetRefused for its model', async () => {
    const { shop, name, ask, refused } = await refusedAtOnce();
    unwrap(await updateProvider(shop, TESTER, name, { forgetRefused: ['another'] }));
    expect(await refused()).toHaveLength(1);
    unwrap(await updateProvider(shop, TESTER, name, { forgetRefused: ['m'] }));
    expect(await refused()).toEqual([]);
    expect((await ask()).requests).toBe(2);
  });

  test('is cleared when the base URL changes and when the provider is deleted', async () => {
    const { shop, name, refused } = await refusedAtOnce();
    unwrap(await updateProvider(shop, TESTER, name, { baseUrl: 'http://127.0.0.1:9/v1' }));
    expect(await refused()).toEqual([]);
    unwrap(await deleteProvider(shop, TESTER, name, { evenInUse: true }));
    const { rows } = await db.database().pool.query('SELECT 1 FROM refused_parameters WHERE provider = $1', [name]);
    expect(rows).toEqual([]);
  });

  test('is detected again by a provider test, which sends the parameters of runs', async () => {
    const { shop, name, refused } = await refusedAtOnce();
    unwrap(await updateProvider(shop, TESTER, name, { forgetRefused: ['m'] }));
    const plain = unwrap(await testProvider(shop, TESTER, name, { model: 'm' }));
    expect(plain).toMatchObject({ ok: true, call: { warnings: [] } });
    expect(await refused()).toEqual([]);

    const settings = { mode: 'revise', criteria: [{ name: 'right', evaluator: 'llm' }] } as const;
    const generator = { provider: name, model: 'm', temperature: 0.4 };
    unwrap(await createExperiment(shop, TESTER, { name: 'asks m', ...settings, generator }));
    const from = server?.requests.length ?? 0;
    const tested = unwrap(await testProvider(shop, TESTER, name, { model: 'm' }));
    expect(tested.call?.warnings).toEqual([`${name}/m rejects temperature. Hone no longer sends it.`]);
    expect(await refused()).toMatchObject([{ model: 'm', parameter: 'temperature' }]);
    const sent = server?.requests.slice(from).find(({ url }) => url.includes('chat'))?.body;
    expect(sent).toMatchObject({ temperature: 0.4, max_tokens: 2_000 });
    expect(server?.requests.at(-1)?.body).toMatchObject({ stream: true, tools: [expect.anything()] });
    expect(JSON.stringify(sent?.messages)).toMatch(/"role":"system"/);

    const chosen = unwrap(await testProvider(shop, TESTER, name, { model: 'm', temperature: 1 }));
    expect(chosen.call?.warnings).toHaveLength(1);
    expect(server?.requests.some(({ body }) => body.temperature === 1)).toBe(true);
  });
});
