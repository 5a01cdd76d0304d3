import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { asQueryable } from '#lib/database/connections.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { decide, decideAs } from '#lib/runs/decide.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { type Answer, status } from '#lib/testing/scripted-server.test-support.ts';
import { PRACTICE_WRITING, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import {
  type DecidingRun,
  decidingRun,
  LIMITS,
  SECRET,
  signed,
  TASK,
} from '#lib/webhooks/deciding-webhook.test-support.ts';
import { claimDeliveries, listWebhookDeliveries, listWebhooks, releaseAllDeliveries } from '#lib/webhooks/queries.ts';
import { resendDelivery } from '#lib/webhooks/resend-delivery.ts';
import { deleteWebhook, updateWebhook } from '#lib/webhooks/save-webhook.ts';
import { MAX_WEBHOOK_DECISIONS, pauseDelivery } from './pause-delivery.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());
const ACCEPT = { decision: 'accept' };

/** Takes due deliveries like a worker that is killed right after. Its lease expires after `leaseMs`. */
async function takenByAKilledOne({ runId }: DecidingRun, leaseMs: number): Promise<string> {
  const taken = await claimDeliveries(db.database(), { most: 100, leaseMs, except: [] });
  const own = taken.find((delivery) => delivery.runId === runId);
  if (own === undefined) throw new Error('the delivery was not due');
  return own.id;
}

async function pauseIdOf(gate: DecidingRun): Promise<string | undefined> {
  return (await gate.record()).waitingFor?.pauseId;
}

describe('after a kill', () => {
  test('the next worker sends the delivery stored with the pause', async () => {
    const gate = await decidingRun(context(), [signed(ACCEPT)]);
    expect(await gate.deliveries()).toMatchObject([
      { state: 'waiting', tries: 0, lastTriedAt: null, durationMs: null },
    ]);
    expect(await gate.deliver()).toMatchObject({ state: 'decided', tries: 1 });
    await gate.server.close();
  });

  test('sends an in-flight delivery again with the same id after its lease expires', async () => {
    const gate = await decidingRun(context(), [signed(ACCEPT)]);
    const id = await takenByAKilledOne(gate, 600);
    const sender = gate.deliverer();
    await sender.look();
    await sender.idle();
    expect(gate.server.requests).toEqual([]);
    expect(await gate.deliveries()).toMatchObject([{ id, state: 'sending', tries: 1 }]);
    await sleep(700);
    expect(await gate.deliver()).toMatchObject({ id, state: 'decided', tries: 2 });
    expect(gate.server.requests.map(({ headers }) => headers['hone-delivery'])).toEqual([id]);
    await gate.server.close();
  });

  test('a restarted single process resends in-flight deliveries immediately, but not those waiting for a retry', async () => {
    const shop = context();
    const gate = await decidingRun(shop, [signed(ACCEPT)]);
    const later = await decidingRun(shop, [status(500, 'broken')]);
    const id = await takenByAKilledOne(gate, 60_000);
    const nextTryAt = new Date(Date.now() + 120_000);
    await db
      .database()
      .pool.query("UPDATE webhook_deliveries SET state = 'waiting', next_try_at = $1 WHERE webhook = $2", [
        nextTryAt,
        later.name,
      ]);
    await releaseAllDeliveries(db.database().prisma);
    expect(await gate.deliver()).toMatchObject({ id, state: 'decided', tries: 2 });
    expect(await later.deliveries()).toMatchObject([{ state: 'waiting', nextTryAt: nextTryAt.toISOString() }]);
    expect(later.server.requests).toEqual([]);
    await gate.server.close();
    await later.server.close();
  });

  test('does not resend a delivery whose response was applied but not recorded', async () => {
    const gate = await decidingRun(context(), [signed(ACCEPT)]);
    await takenByAKilledOne(gate, 1);
    const input = { decision: 'accept', pauseId: await pauseIdOf(gate) };
    unwrap(await decideAs(gate.context, { by: 'webhook', name: gate.name }, gate.runId, input));
    await sleep(20);
    expect(await gate.deliver()).toMatchObject({ state: 'decided', outcome: 'Taken: accept of version 0.' });
    expect(gate.server.requests).toEqual([]);
    await gate.server.close();
  });

  test('gives up after repeated kills', async () => {
    const gate = await decidingRun(context(), [signed(ACCEPT)]);
    for (let tries = 0; tries < 3; tries++) {
      await takenByAKilledOne(gate, 1);
      await sleep(20);
    }
    expect(await gate.deliver()).toMatchObject({
      state: 'failed',
      tries: 3,
      error: expect.stringMatching(/stopped during the last try/),
    });
    expect((await gate.record()).status).toBe('waiting');
    await gate.server.close();
  });

  test('a stopping worker aborts its attempt without counting it', async () => {
    const gate = await decidingRun(context(), [() => undefined, signed(ACCEPT)]);
    const sender = gate.deliverer({ limits: { ...LIMITS, timeoutMs: 60_000 } });
    await sender.look();
    await expect.poll(() => gate.server.requests.length).toBe(1);
    await sender.close();
    expect(await gate.deliveries()).toMatchObject([{ state: 'waiting', tries: 0, error: null }]);
    await sender.look();
    await sender.idle();
    expect(gate.server.requests).toHaveLength(1);
    expect(await gate.deliver()).toMatchObject({ state: 'decided', tries: 1 });
    await gate.server.close();
  });
});

describe('several workers', () => {
  test('send each delivery once', async () => {
    const gate = await decidingRun(context(), [signed(ACCEPT)]);
    const senders = [gate.deliverer(), gate.deliverer(), gate.deliverer()];
    await Promise.all(senders.map((sender) => sender.look()));
    await Promise.all(senders.map((sender) => sender.idle()));
    expect(gate.server.requests).toHaveLength(1);
    expect(await gate.deliveries()).toMatchObject([{ state: 'decided', tries: 1 }]);
    await gate.server.close();
  });

  test('keep capacity for others next to a slow webhook', async () => {
    const shop = context();
    const slow = await decidingRun(shop, [() => undefined]);
    await db.database().pool.query(
      `INSERT INTO webhook_deliveries (id, webhook, run_id, pause_id, state, next_try_at, request_body, created_at)
       SELECT gen_random_uuid(), webhook, run_id, pause_id, state, next_try_at, request_body, created_at
       FROM webhook_deliveries, generate_series(1, 11) WHERE webhook = $1`,
      [slow.name],
    );
    const other = await decidingRun(shop, [signed(ACCEPT)]);
    const sender = other.deliverer({ limits: { ...LIMITS, timeoutMs: 60_000 } });
    const looked = async () => {
      await sender.look();
      return other.server.requests.length;
    };
    await expect.poll(looked).toBe(1);
    expect(slow.server.requests.length).toBeLessThan(8);
    await sender.close();
    await db.database().pool.query('DELETE FROM webhook_deliveries WHERE webhook = $1', [slow.name]);
    await slow.server.close();
    await other.server.close();
  });

  test('send at most four deliveries of one webhook concurrently', async () => {
    const slow = await decidingRun(context(), [() => undefined]);
    const { pool } = db.database();
    await pool.query(
      `INSERT INTO webhook_deliveries (id, webhook, run_id, pause_id, state, next_try_at, request_body, created_at)
       SELECT gen_random_uuid(), webhook, run_id, pause_id, state,
         CASE WHEN n < 3 THEN next_try_at ELSE now() + interval '5 minutes' END, request_body, created_at
       FROM webhook_deliveries, generate_series(1, 7) AS n WHERE webhook = $1`,
      [slow.name],
    );
    const sending = async () => (await slow.deliveries()).filter(({ state }) => state === 'sending').length;
    const sender = slow.deliverer({ limits: { ...LIMITS, timeoutMs: 60_000 } });
    await sender.look();
    expect(await sending()).toBe(3);
    // The column rounds to milliseconds, so that now() could be in the future.
    await pool.query(
      "UPDATE webhook_deliveries SET next_try_at = now() - interval '1 second' WHERE state = 'waiting' AND webhook = $1",
      [slow.name],
    );
    await sender.look();
    expect(await sending()).toBe(4);
    await sender.close();
    await pool.query('DELETE FROM webhook_deliveries WHERE webhook = $1', [slow.name]);
    await slow.server.close();
  });

  test('find due deliveries by index, regardless of how many others are stored', async () => {
    const gate = await decidingRun(context(), [signed(ACCEPT)]);
    const due = (await gate.deliveries())[0]?.id;
    const { database } = gate.context;
    await database.pool.query(
      `INSERT INTO webhook_deliveries (id, webhook, run_id, pause_id, state, next_try_at, request_body, created_at)
       SELECT gen_random_uuid(), 'another', run_id, pause_id, CASE WHEN n % 5 = 0 THEN 'waiting' ELSE 'decided' END,
         CASE WHEN n % 5 = 0 THEN now() + interval '10 minutes' END, request_body, created_at
       FROM webhook_deliveries, generate_series(1, 3000) AS n WHERE id = $1`,
      [due],
    );
    await database.pool.query('ANALYZE webhook_deliveries');
    const { taken, scans } = await inTransaction(database, async (transaction) => {
      const client = asQueryable(transaction);
      const countScans = async () =>
        (
          await client.query<{ whole: number; by_index: number }>(
            "SELECT seq_scan::int AS whole, idx_scan::int AS by_index FROM pg_stat_xact_user_tables WHERE relname = 'webhook_deliveries'",
          )
        ).rows[0] ?? { whole: 0, by_index: 0 };
      const before = await countScans();
      const taken = await claimDeliveries({ pool: client }, { most: 100, leaseMs: 60_000, except: [] });
      const after = await countScans();
      return { taken, scans: { whole: after.whole - before.whole, byIndex: after.by_index - before.by_index } };
    });
    expect(taken.map(({ id }) => id)).toContain(due);
    expect(taken.map(({ webhook }) => webhook)).not.toContain('another');
    expect(scans).toEqual({ whole: 0, byIndex: expect.any(Number) });
    expect(scans.byIndex).toBeGreaterThan(0);
    await database.pool.query("DELETE FROM webhook_deliveries WHERE webhook = 'another'");
    await gate.server.close();
  });

  test('ignore the result of an attempt after its lease expired', async () => {
    const late: Answer = (...request) => void setTimeout(() => status(404, 'no')(...request), 150);
    const gate = await decidingRun(context(), [late]);
    const slow = gate.deliverer({ limits: { ...LIMITS, leaseMs: 1 } });
    await slow.look();
    await sleep(20);
    await takenByAKilledOne(gate, 60_000);
    await slow.idle();
    expect(gate.server.requests).toHaveLength(1);
    expect(await gate.deliveries()).toMatchObject([{ state: 'sending', tries: 2, responseStatus: null }]);
    await gate.server.close();
  });
});

describe('manual resend', () => {
  test('a delivery with a refused response can still decide, with all its attempts', async () => {
    const gate = await decidingRun(context(), [signed(ACCEPT, { secret: 'an old secret' }), signed(ACCEPT)]);
    const { id } = await gate.deliver();
    const delivery = { webhook: gate.name, id };
    expect(unwrap(await resendDelivery(gate.context, TESTER, delivery))).toEqual({ id, state: 'waiting' });
    expect(await gate.deliveries()).toMatchObject([{ state: 'waiting', tries: 0, error: null, outcome: null }]);
    expect(await gate.deliver()).toMatchObject({ id, state: 'decided', tries: 1 });
    expect(new Set(gate.server.requests.map(({ headers }) => headers['hone-delivery']))).toEqual(new Set([id]));
    expect(await resendDelivery(gate.context, TESTER, delivery)).toMatchObject({
      ok: false,
      problem: { code: 'conflict', message: expect.stringMatching(/nothing left to decide/) },
    });
    await gate.server.close();
  });

  test('a delivery stored before requests contained its id now includes it and decides', async () => {
    const gate = await decidingRun(context(), [signed(ACCEPT)]);
    const older = "request_body = (request_body::jsonb - 'delivery')::text";
    await db.database().pool.query(`UPDATE webhook_deliveries SET ${older} WHERE webhook = $1`, [gate.name]);
    const { id, state } = await gate.deliver();
    expect(state).toBe('decided');
    expect(gate.server.requests[0]?.body).toMatchObject({ delivery: id, hook: 'onReflection', ...TASK });
    await gate.server.close();
  });

  test('rejects a delivery in flight and an unknown delivery', async () => {
    const gate = await decidingRun(context(), [signed(ACCEPT)]);
    const id = await takenByAKilledOne(gate, 60_000);
    const refused = await resendDelivery(gate.context, TESTER, { webhook: gate.name, id });
    expect(refused).toMatchObject({ ok: false, problem: { code: 'conflict', message: /being sent/ } });
    for (const delivery of [
      { webhook: gate.name, id: gate.runId },
      { webhook: 'another', id },
      { webhook: gate.name, id: 'no id' },
    ])
      expect(await resendDelivery(gate.context, TESTER, delivery)).toMatchObject({
        ok: false,
        problem: { code: 'not_found' },
      });
    await gate.server.close();
  });
});

describe('the webhook of an experiment', () => {
  test('must exist when the experiment is saved, is listed as in use and cannot be deleted', async () => {
    const settings = (webhook: string) => ({ name: 'Gated', ...PRACTICE_WRITING, callbacks: { webhook } });
    expect(await createExperiment(context(), TESTER, settings('nobody'))).toMatchObject({
      ok: false,
      problem: {
        code: 'invalid',
        field: 'callbacks.webhook',
        message: expect.stringMatching(/^callbacks\.webhook: there is no webhook named "nobody"/),
      },
    });
    const gate = await decidingRun(context(), [signed(ACCEPT)]);
    const { id } = unwrap(await createExperiment(gate.context, TESTER, settings(gate.name)));
    const listed = (await listWebhooks(gate.context)).find(({ name }) => name === gate.name);
    expect(listed?.usedBy).toContainEqual({ id, name: 'Gated' });
    expect(await deleteWebhook(gate.context, TESTER, gate.name, { evenInUse: false })).toMatchObject({
      ok: false,
      problem: { code: 'conflict', message: expect.stringMatching(/used by 2 experiments: .*Gated/) },
    });
    await gate.server.close();
  });

  test('has its responses verified with the new secret immediately after rotation', async () => {
    const gate = await decidingRun(context(), [signed(ACCEPT, { secret: SECRET })]);
    const { secret } = unwrap(await updateWebhook(gate.context, TESTER, gate.name, { newSecret: true }));
    expect(secret).toMatch(/^whsec_/);
    expect(await gate.deliver()).toMatchObject({ state: 'refused', error: expect.stringMatching(/current secret/) });
    await gate.server.close();
  });

  test('is listed with paginated deliveries', async () => {
    const gate = await decidingRun(context(), [signed({ decision: 'continue' })], { maxIterations: 5 });
    for (let pauses = 1; pauses < 3; pauses++) {
      await gate.deliver();
      await gate.perform();
    }
    const first = unwrap(await listWebhookDeliveries(gate.context, gate.name, { cursor: null, limit: 2 }));
    expect(first.items.map(({ state }) => state)).toEqual(['waiting', 'decided']);
    const options = { cursor: first.nextCursor, limit: 2 };
    const rest = unwrap(await listWebhookDeliveries(gate.context, gate.name, options));
    expect(rest).toMatchObject({ items: [{ state: 'decided' }], nextCursor: null });
    expect(await listWebhookDeliveries(gate.context, 'nobody', options)).toMatchObject({
      ok: false,
      problem: { code: 'not_found' },
    });
    await gate.server.close();
  });

  test(`gets no more requests once webhooks have decided ${MAX_WEBHOOK_DECISIONS} times in a run`, async () => {
    const gate = await decidingRun(context(), [signed({ decision: 'continue' })], { maxIterations: 5 });
    await gate.deliver();
    await gate.perform();
    const stored = await loadRun(db.database(), gate.runId);
    const made = stored?.history.decisions.find(({ by }) => by === 'webhook');
    const pause = stored?.history.pause ?? null;
    if (stored === null || made === undefined || pause === null) throw new Error('the run does not wait');
    const asked = (times: number) =>
      pauseDelivery(stored, { ...stored.history, decisions: Array(times).fill(made) }, pause, gate.runId);
    expect(asked(MAX_WEBHOOK_DECISIONS - 1)).toMatchObject({ state: 'waiting', outcome: null });
    expect(asked(MAX_WEBHOOK_DECISIONS)).toMatchObject({
      state: 'dropped',
      outcome: expect.stringMatching(/100 times\. It waits for people/),
    });
    await gate.server.close();
  });
});

test('a person can decide at any time; a decision after the webhook is rejected with its name', async () => {
  const gate = await decidingRun(context(), [signed({ decision: 'stop' })]);
  const pauseId = await pauseIdOf(gate);
  await gate.deliver();
  expect(await decide(gate.context, TESTER, gate.runId, { decision: 'accept', pauseId })).toMatchObject({
    ok: false,
    problem: { code: 'conflict', message: expect.stringMatching(new RegExp(`stop by ${gate.name}`)) },
  });
});
