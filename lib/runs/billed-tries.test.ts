import { expect, test } from 'vitest';
import { saveProvider } from '#lib/models/change-providers.ts';
import { completion } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { queuedRun, recordOf, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { findCall } from './calls.ts';
import { findRunWarnings, listCalls } from './queries.ts';

const db = useTestDatabase();
test('an abandoned attempt counts toward the tokens and cost of its run and is marked on its call', async () => {
  const server = await serveScript([() => {}, completion('It is 4.')]);
  const shop = testContext(db.database());
  const prices = { m: { inputPerMillionUsd: 1_000, outputPerMillionUsd: 1_000 } };
  const provider = { name: 'slow', kind: 'openai-compatible', baseUrl: server.baseUrl, timeoutSeconds: 1, prices };
  unwrap(await saveProvider(shop, TESTER, provider));
  const runId = await queuedRun(
    shop,
    {
      mode: 'retry',
      generator: { provider: 'slow', model: 'm' },
      criteria: [{ name: 'answer', evaluator: 'regex', config: { pattern: '4' } }],
    },
    { input: 'x'.repeat(400) },
  );
  await performRun(testWorkerContext(shop), runId);

  const [call] = await listCalls(db.database(), runId);
  const billed = call?.maybeBilled;
  expect(billed).toMatchObject({ tries: 1, output: 0 });
  expect(billed?.input).toBeGreaterThan(100);
  expect(call).toMatchObject({ attempts: 2, tokenUsage: { input: (billed?.input ?? 0) + 12, output: 5 } });
  expect((await findCall(db.database(), runId, call?.id ?? 0))?.maybeBilled).toEqual(billed);
  const run = await recordOf(db.database(), runId);
  expect(run).toMatchObject({ success: true, tokenUsage: { total: (billed?.input ?? 0) + 17 } });
  expect(run.costUsd).toBeCloseTo(((billed?.input ?? 0) + 17) / 1_000, 9);
  expect(await findRunWarnings(db.database(), runId)).toMatchObject({
    warnings: [],
    maybeBilled: { calls: 1, tries: 1, tokens: billed?.input, costUsd: billed?.costUsd },
  });
}, 20_000);
