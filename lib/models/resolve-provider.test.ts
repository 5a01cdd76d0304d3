import { expect, test } from 'vitest';
import type { ModelOutcome } from '#lib/providers/call/model-caller.ts';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { saveProvider } from './change-providers.ts';
import { providerDirectory } from './resolve-provider.ts';

const db = useTestDatabase();

const ANSWERED: ModelOutcome = {
  ok: true,
  reply: {
    ...{ text: 'Yes', finishReason: 'stop', tokenUsage: { input: 1, output: 1, total: 2 }, costUsd: null },
    ...{ latencyMs: 1, attempts: 1, warnings: [] },
  },
};

test('concurrent calls store the state of a key once and later calls reuse it', async () => {
  const context = testContext(db.database());
  unwrap(
    await saveProvider(context, TESTER, { name: 'far', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' }),
  );
  const { prisma } = context.database;
  let writes = 0;
  const counting = new Proxy(prisma, {
    get: (target, key) => {
      if (key === 'providerKeyState') writes++;
      return Reflect.get(target, key);
    },
  });
  const { resolveProvider, noteKey } = providerDirectory({
    ...context,
    database: { ...context.database, prisma: counting },
  });
  const asked = await Promise.all(Array.from({ length: 20 }, () => resolveProvider('far')));
  const read = writes;
  await Promise.all(asked.map((one) => (one === null ? null : noteKey(one, ANSWERED))));
  // The state is read again before it is written.
  expect(writes - read).toBe(2);
  expect(await prisma.providerKeyState.findMany({ select: { provider: true, state: true } })).toEqual([
    { provider: 'far', state: 'works' },
  ]);
  expect(await resolveProvider('far')).toMatchObject({ keyState: 'works' });
});
