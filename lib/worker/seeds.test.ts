import { expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { saveProvider } from '#lib/models/change-providers.ts';
import { providerDirectory } from '#lib/models/resolve-provider.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import { completion } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
test('sends each repetition of a case the next seed, and no seed for roles without one', async () => {
  const server = await serveScript([completion('{"criteria":[{"name":"right","score":1}]}')]);
  const shop = testContext(db.database());
  const provider = { name: 'seeded', kind: 'openai-compatible', baseUrl: server.baseUrl };
  unwrap(await saveProvider(shop, TESTER, provider));
  const { id } = unwrap(
    await createExperiment(shop, TESTER, {
      name: 'seeds',
      mode: 'revise',
      maxIterations: 0,
      generator: { provider: 'seeded', model: 'writer' },
      evaluatorModel: { provider: 'seeded', model: 'judge' },
      modelSettings: { generate: { seed: 7 } },
      criteria: [{ name: 'right', evaluator: 'llm' }],
    }),
  );
  const start = { cases: [{ input: 'one' }, { input: 'two' }], repetitions: 3 };
  const { runIds } = unwrap(await startBatch(shop, TESTER, id, start, { idempotencyKey: null, watched: false }));
  const { resolveProvider } = providerDirectory(shop);
  const worker = testWorkerContext(shop, createModelCaller({ addresses: shop.addresses, resolveProvider }));
  for (const runId of runIds) await performRun(worker, runId);
  const seedsOf = (model: string) =>
    (server?.requests ?? []).filter(({ body }) => body.model === model).map(({ body }) => body.seed);
  expect(seedsOf('writer').toSorted()).toEqual([7, 7, 8, 8, 9, 9]);
  expect([...new Set(seedsOf('judge'))]).toEqual([undefined]);
});
