import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ModelCaller, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { limitedCall, type ProviderLimits } from './limited-call.ts';
import { insertProvider } from './stored-provider.ts';

const db = useTestDatabase();
const never = { signal: new AbortController().signal, onText: null };

async function provider(): Promise<string> {
  const name = `p-${randomUUID()}`;
  const none = { sealedKey: null, keyLastFour: null, maxConcurrency: null, maxRequestsPerMinute: null, prices: {} };
  await insertProvider(db.database().prisma, {
    ...none,
    name,
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:9',
    now: new Date(),
  });
  return name;
}

function request(provider: string): ModelRequest {
  return {
    role: 'generate',
    ordinal: 0,
    model: { provider, model: 'm' },
    instructions: '',
    prompt: '',
    temperature: 0,
    maxOutputTokens: null,
    output: null,
  };
}

/** A model that records its concurrent calls and their start times. */
function countingModel(durationMs: number) {
  const seen = { now: 0, most: 0, startedAt: [] as number[] };
  const call: ModelCaller = async () => {
    seen.most = Math.max(seen.most, ++seen.now);
    seen.startedAt.push(performance.now());
    await sleep(durationMs);
    seen.now--;
    return {
      ok: true,
      reply: {
        text: 'x',
        finishReason: 'stop',
        tokenUsage: { input: 1, output: 1, total: 2 },
        costUsd: 0,
        latencyMs: 1,
        attempts: 1,
        warnings: [],
      },
    };
  };
  return { seen, call };
}

/** Simulates two processes on one database with separate slot holders. */
function twoWorkers(call: ModelCaller, limits: ProviderLimits) {
  return [randomUUID(), randomUUID()].map((holder) =>
    limitedCall(call, { database: db.database(), holder, limitsOf: async () => limits }),
  );
}

describe('provider limits', () => {
  test('two workers together reach but never exceed the concurrency limit', async () => {
    const name = await provider();
    const { seen, call } = countingModel(20);
    const [one, other] = twoWorkers(call, { maxConcurrency: 3, maxRequestsPerMinute: null });
    const calls = Array.from({ length: 24 }, (_, position) =>
      (position % 2 === 0 ? one : other)?.(request(name), never),
    );
    expect((await Promise.all(calls)).every((outcome) => outcome?.ok)).toBe(true);
    expect(seen.most).toBe(3);
  });

  test('calls per minute are evenly spaced across two workers', async () => {
    const name = await provider();
    const { seen, call } = countingModel(1);
    const [one, other] = twoWorkers(call, { maxConcurrency: null, maxRequestsPerMinute: 1_200 });
    await Promise.all(
      Array.from({ length: 8 }, (_, position) => (position % 2 === 0 ? one : other)?.(request(name), never)),
    );
    const times = seen.startedAt.sort((a, b) => a - b);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(7 * 50 * 0.8);
  });

  test('the slot of a dead holder becomes free after its lease', async () => {
    const name = await provider();
    const { call } = countingModel(1);
    const limits = { maxConcurrency: 1, maxRequestsPerMinute: null };
    const dead = limitedCall(() => new Promise(() => undefined), {
      database: db.database(),
      holder: randomUUID(),
      limitsOf: async () => limits,
    });
    void dead(request(name), never);
    await expect
      .poll(
        async () =>
          (
            await db
              .database()
              .pool.query('SELECT 1 FROM provider_slots WHERE provider = $1 AND holder IS NOT NULL', [name])
          ).rowCount,
      )
      .toBe(1);
    dead.close();
    await db
      .database()
      .pool.query("UPDATE provider_slots SET held_until = now() - interval '1 second' WHERE provider = $1", [name]);
    const [alive] = twoWorkers(call, limits);
    expect(await alive?.(request(name), never)).toMatchObject({ ok: true });
  });

  // After the database clock jumps forwards, stored times are hours in the past. After it jumps backwards, they are hours ahead.
  describe.each([
    { name: 'forward', shift: "- interval '3 hours'" },
    { name: 'backward', shift: "+ interval '3 hours'" },
  ])('the clock jumps $name by hours', ({ shift }) => {
    test('does not reassign a slot in use', async () => {
      const name = await provider();
      const { seen, call } = countingModel(300);
      const [worker] = twoWorkers(call, { maxConcurrency: 1, maxRequestsPerMinute: null });
      const first = worker?.(request(name), never);
      await expect.poll(() => seen.now).toBe(1);
      await db
        .database()
        .pool.query(`UPDATE provider_slots SET held_until = held_until ${shift} WHERE provider = $1`, [name]);
      expect(await worker?.(request(name), never)).toMatchObject({ ok: true });
      expect(await first).toMatchObject({ ok: true });
      expect(seen).toMatchObject({ most: 1, startedAt: { length: 2 } });
    });

    test('frees the slot of a dead process and starts the next call soon', async () => {
      const name = await provider();
      const { seen, call } = countingModel(1);
      const limits = { maxConcurrency: 1, maxRequestsPerMinute: 1_200 };
      const [first, second] = twoWorkers(call, limits);
      await first?.(request(name), never);
      await db
        .database()
        .pool.query(
          `UPDATE provider_slots SET holder = $2, held_until = now() + interval '10 seconds' ${shift} WHERE provider = $1`,
          [name, randomUUID()],
        );
      await db
        .database()
        .pool.query(
          `UPDATE providers SET next_call_at = next_call_at ${shift}, turn_taken_at = turn_taken_at ${shift} WHERE name = $1`,
          [name],
        );
      expect(await second?.(request(name), { signal: AbortSignal.timeout(2_000), onText: null })).toMatchObject({
        ok: true,
      });
      expect(seen.startedAt).toHaveLength(2);
    });
  });

  test('a call aborted while it waits is never made and holds no slot', async () => {
    const name = await provider();
    const { seen, call } = countingModel(200);
    const [worker] = twoWorkers(call, { maxConcurrency: 1, maxRequestsPerMinute: null });
    const first = worker?.(request(name), never);
    await expect.poll(() => seen.now).toBe(1);
    const calledOff = await worker?.(request(name), { signal: AbortSignal.timeout(30), onText: null });
    expect(calledOff).toMatchObject({ ok: false, failure: { kind: 'aborted', attempts: 0 } });
    await first;
    expect(seen.startedAt).toHaveLength(1);
    expect(
      (
        await db
          .database()
          .pool.query('SELECT 1 FROM provider_slots WHERE provider = $1 AND holder IS NOT NULL', [name])
      ).rowCount,
    ).toBe(0);
  });
});
