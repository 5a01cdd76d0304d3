import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openQueue, type Queue } from '#lib/queue/queue.ts';
import { PRACTICE_WRITING, queuedRun, testContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { readSlowFacts } from './find-health.ts';
import { clockSkewMs, failingProviders } from './queries.ts';

const db = useTestDatabase();
let queue: Queue;
beforeAll(async () => {
  queue = await openQueue(db.connectionString, (error) => expect.fail(error.message));
});
afterAll(() => queue.stop(1));

type Call = { outcome: 'answered' | 'timeout' | 'month_budget'; minutesAgo: number };

async function calls(runId: string, provider: string, made: Call[]): Promise<void> {
  for (const { outcome, minutesAgo } of made)
    await db.database().pool.query(
      `INSERT INTO model_calls (run_id, step, ordinal, fingerprint, role, provider, model, instructions, prompt, options, failure,
         input_tokens, output_tokens, latency_ms, attempts, warnings, created_at)
       VALUES ($1, 0, 0, 'f', 'generate', $2, 'm', '', '', '{}', $3, 0, 0, 5, $4, '{}', now() - $5 * interval '1 minute')`,
      [
        runId,
        provider,
        outcome === 'answered' ? null : JSON.stringify({ kind: outcome }),
        outcome === 'month_budget' ? 0 : 1,
        minutesAgo,
      ],
    );
}

const failures = (count: number, minutesAgo = 1): Call[] =>
  Array.from({ length: count }, () => ({ outcome: 'timeout', minutesAgo }));

describe('a failing provider', () => {
  test.each<[string, Call[], number | null]>([
    ['is reported if its last three calls failed', [{ outcome: 'answered', minutesAgo: 5 }, ...failures(3)], 3],
    ['is reported if it never responded', failures(4), 4],
    ['is not reported after two failures', failures(2), null],
    ['is not reported once it responded again', [...failures(5, 2), { outcome: 'answered', minutesAgo: 1 }], null],
    ['is not reported for old failures', failures(5, 11), null],
    [
      'is not reported for calls blocked by a budget',
      Array.from({ length: 5 }, () => ({ outcome: 'month_budget', minutesAgo: 1 })),
      null,
    ],
  ])('%s', async (_name, made, expected) => {
    const runId = await queuedRun(testContext(db.database()), PRACTICE_WRITING, { input: 'A note.' });
    const provider = `p-${randomUUID()}`;
    await calls(runId, provider, made);
    const found = (await failingProviders(db.database())).find((one) => one.provider === provider);
    expect(found ?? null).toEqual(expected === null ? null : { provider, failures: expected, kind: 'timeout' });
  });
});

test('clockSkewMs returns the difference to the database clock', async () => {
  expect(Math.abs(await clockSkewMs(db.database(), () => new Date()))).toBeLessThan(1_000);
  expect(await clockSkewMs(db.database(), () => new Date(Date.now() - 60_000))).toBeGreaterThan(58_000);
});

test('readSlowFacts returns the state of the queue and of the processes', async () => {
  await queue.enqueue([randomUUID()]);
  expect(await readSlowFacts(db.database())).toMatchObject({ processes: [], queue: { ready: 1, active: 0 } });
});
