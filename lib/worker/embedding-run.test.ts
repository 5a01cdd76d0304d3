import { expect, test } from 'vitest';
import { readEmbeddings } from '#lib/core/embedding-request.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { saveProvider } from '#lib/models/change-providers.ts';
import { listProviderUse } from '#lib/models/queries.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { queuedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const EMBEDDED: ExperimentSettingsInput = {
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  embeddingModel: { provider: 'practice', model: 'practice-embedding-1' },
  criteria: [{ name: 'near', evaluator: 'reference', config: { match: 'embedding' } }],
  maxIterations: 1,
};
const CASE = { input: 'Explain our rate limits to a new user', reference: 'Rate limits protect the service for all.' };

test('a run with an embedding criterion stores its calls with vectors, tokens and cost, and totals them', async () => {
  const context = testContext(db.database());
  const runId = await queuedRun(context, EMBEDDED, CASE);
  await performRun(testWorkerContext(context), runId);
  const run = await loadRun(db.database(), runId);
  const calls = await listModelCalls(db.database(), runId);
  const embedded = calls.filter(({ role }) => role === 'embed');
  expect(embedded).toHaveLength(run?.history.versions.length ?? -1);
  for (const call of embedded) {
    expect(call).toMatchObject({
      provider: 'practice',
      model: 'practice-embedding-1',
      failure: null,
      finishReason: 'stop',
    });
    expect(call.prompt).toContain('Rate limits protect the service for all.');
    const { text, tokenUsage, costUsd } = call;
    expect(tokenUsage.input).toBeGreaterThan(0);
    expect(costUsd).toBeGreaterThan(0);
    const reply = {
      text: text ?? '',
      finishReason: 'stop',
      tokenUsage,
      costUsd,
      latencyMs: 0,
      attempts: 1,
      warnings: [],
    };
    expect(readEmbeddings({ ok: true, reply }, 2)).toMatchObject({ ok: true });
  }
  for (const { overallScore, costUsd } of run?.history.evaluations ?? []) {
    expect(overallScore).toBeGreaterThan(0);
    expect(overallScore).toBeLessThan(1);
    expect(costUsd).toBeGreaterThan(0);
  }
  const others = calls.filter(({ role }) => role !== 'embed');
  expect(JSON.stringify(others.map(({ prompt, instructions }) => [prompt, instructions]))).not.toContain('for all.');
});

test('a repeated step reuses the vectors it has already paid for', async () => {
  const context = testContext(db.database());
  const runId = await queuedRun(context, { ...EMBEDDED, maxIterations: 0 }, CASE);
  const worker = testWorkerContext(context);
  let asked = 0;
  const call: typeof worker.call = (request, options) => {
    if (request.role === 'embed') asked++;
    return worker.call(request, options);
  };
  const save: typeof worker.save = async (request) => {
    if (request.results.some(({ type }) => type === 'evaluation')) throw new Error('the worker dies here');
    return worker.save(request);
  };
  await expect(performRun({ ...worker, call, save }, runId)).rejects.toThrow('dies here');
  expect(asked).toBe(1);
  await performRun({ ...worker, call }, runId);
  expect(asked).toBe(1);
  expect((await loadRun(db.database(), runId))?.history.evaluations).toHaveLength(1);
});

test.each<[string, object, string, RegExp]>([
  ['no model', { embeddingModel: null }, 'embeddingModel', /must name an embedding model: the criterion "near"/],
  [
    'an unknown provider',
    { embeddingModel: { provider: 'nowhere', model: 'm' } },
    'embeddingModel.provider',
    /no provider named "nowhere"/,
  ],
])('rejected: %s', async (_name, changes, field, message) => {
  const made = await createExperiment(testContext(db.database()), TESTER, { name: 'x', ...EMBEDDED, ...changes });
  expect(made).toMatchObject({ ok: false, problem: { field, message: expect.stringMatching(message) } });
});

test('rejects a provider without embedding models', async () => {
  const context = { ...testContext(db.database()), environmentKeys: { anthropic: 'key' } };
  const embeddingModel = { provider: 'anthropic', model: 'claude' };
  expect(await createExperiment(context, TESTER, { name: 'x', ...EMBEDDED, embeddingModel })).toMatchObject({
    ok: false,
    problem: { field: 'embeddingModel.provider', message: expect.stringMatching(/has no embedding models/) },
  });
});

test('a provider used only for embeddings counts as in use', async () => {
  const context = testContext(db.database());
  const provider = { name: 'only-vectors', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' };
  unwrap(await saveProvider(context, TESTER, provider));
  const embeddingModel = { provider: 'only-vectors', model: 'm' };
  unwrap(await createExperiment(context, TESTER, { name: 'x', ...EMBEDDED, embeddingModel }));
  expect(await listProviderUse(db.database())).toMatchObject({
    'only-vectors': { experiments: 1, prompts: 0, named: [{ name: 'x', roles: ['embeddings'] }] },
  });
});
