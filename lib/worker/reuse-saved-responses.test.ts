import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { CALLS_PER_CASE, isReusedResponse } from '#lib/core/reused-responses.ts';
import { deleteProvider, saveProvider, updateProvider } from '#lib/models/change-providers.ts';
import { CANCELLED, type ModelCaller, type ModelOutcome, type ModelRequest } from '#lib/providers/call/model-caller.ts';
import { deleteRun } from '#lib/runs/delete-run.ts';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { type PaidCaller, reusePaidResponses } from './reuse-saved-responses.ts';
import { casesNamed, queuedTuning, tuningSettings } from './tuning-run.test-support.ts';

const db = useTestDatabase();
const SPEND = { tokenUsage: { input: 10, output: 5, total: 15 }, costUsd: 0.01, latencyMs: 100 };

function question(prompt: string, changes: Partial<ModelRequest> = {}): ModelRequest {
  const model = { provider: 'practice', model: 'practice-1' };
  const shared = { role: 'try' as const, ordinal: 0, model, instructions: '', temperature: 0 };
  return { ...shared, prompt, maxOutputTokens: null, output: null, ...changes };
}

/** A model that responds with the number of its call, after `wait` resolves. */
function counting(wait: (number: number) => Promise<ModelOutcome | undefined> = async () => undefined) {
  const asked: ModelRequest[] = [];
  const call: ModelCaller = async (request) => {
    const number = asked.push(request);
    const instead = await wait(number);
    const reply = { ...SPEND, text: `answer ${number}`, finishReason: 'stop', attempts: 1, warnings: [] };
    return instead ?? { ok: true, reply };
  };
  return { asked, call };
}

async function aRun() {
  const context = testContext(db.database());
  const { runId } = await queuedTuning(context, tuningSettings(), casesNamed('train', 'a'));
  return { context, runId };
}

const askedBy = (caller: PaidCaller, signal = new AbortController().signal) => {
  return (request: ModelRequest, step = 1) => caller(request, { signal, onText: null }, step);
};

function responseOf(outcome: ModelOutcome) {
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.reply;
}

const FREE = { costUsd: 0, attempts: 0, tokenUsage: { input: 0, output: 0, total: 0 } };
const PAID = { costUsd: 0.01, attempts: 1, tokenUsage: SPEND.tokenUsage };

describe('an identical request', () => {
  test('is paid for once across steps, runs and case orders, and reports zero cost when reused', async () => {
    const { asked, call } = counting();
    const [first, second] = [await aRun(), await aRun()];
    const one = askedBy(reusePaidResponses({ database: db.database(), call, owner: { runId: first.runId } }));
    const other = askedBy(reusePaidResponses({ database: db.database(), call, owner: { runId: second.runId } }));
    const same = randomUUID();
    expect(responseOf(await one(question(same)))).toMatchObject({ text: 'answer 1', ...PAID });
    const again = [
      await one(question(same)),
      await one(question(same, { ordinal: CALLS_PER_CASE })),
      await one(question(same), 2),
      await other(question(same)),
    ].map(responseOf);
    for (const reply of again) {
      expect(reply).toMatchObject({ text: 'answer 1', ...FREE });
      expect(reply.warnings.join()).toContain('paid for before');
    }
    expect(again.every(isReusedResponse)).toBe(true);
    expect(asked).toHaveLength(1);
  });

  test.each<[string, Partial<ModelRequest>]>([
    ['another position among the calls of its case', { ordinal: 1 }],
    ['another temperature', { temperature: 1 }],
    ['other instructions', { instructions: 'Be brief.' }],
    ['another model', { model: { provider: 'practice', model: 'practice-2' } }],
  ])('is sent again for %s', async (_name, changes) => {
    const { asked, call } = counting();
    const { runId } = await aRun();
    const ask = askedBy(reusePaidResponses({ database: db.database(), call, owner: { runId } }));
    const same = randomUUID();
    await ask(question(same));
    expect(responseOf(await ask(question(same, changes)))).toMatchObject({ text: 'answer 2', ...PAID });
    expect(asked).toHaveLength(2);
  });

  test('is sent again in roles other than prompt evaluation, and after a failure', async () => {
    const { asked, call } = counting(async (number) => (number === 1 ? CANCELLED : undefined));
    const { runId } = await aRun();
    const ask = askedBy(reusePaidResponses({ database: db.database(), call, owner: { runId } }));
    const same = randomUUID();
    expect(await ask(question(same))).toEqual(CANCELLED);
    await ask(question(same));
    await ask(question(same, { role: 'reflect' }));
    await ask(question(same, { role: 'reflect' }));
    expect(asked).toHaveLength(4);
  });

  test('counts its cost if the worker was killed before journalling the call', async () => {
    const { runId } = await aRun();
    const { call } = counting();
    const open = () => askedBy(reusePaidResponses({ database: db.database(), call, owner: { runId } }));
    const same = randomUUID();
    await open()(question(same), 3);
    const afterKill = open();
    expect(responseOf(await afterKill(question(same), 3))).toMatchObject({ text: 'answer 1', ...PAID });
    expect(responseOf(await afterKill(question(same), 3))).toMatchObject(FREE);
    expect(responseOf(await open()(question(same), 4))).toMatchObject(FREE);
  });

  test('is sent again if the provider was deleted or its base URL changed', async () => {
    const { context, runId } = await aRun();
    const { asked, call } = counting();
    const ask = askedBy(reusePaidResponses({ database: db.database(), call, owner: { runId } }));
    const model = { provider: 'local', model: 'small' };
    const same = randomUUID();
    const askAgain = () => ask(question(same, { model }));
    const local = { name: 'local', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' };
    unwrap(await saveProvider(context, TESTER, local));
    await askAgain();
    unwrap(await updateProvider(context, TESTER, 'local', { maxConcurrency: 2 }));
    await askAgain();
    expect(asked).toHaveLength(1);
    unwrap(await updateProvider(context, TESTER, 'local', { baseUrl: 'http://127.0.0.1:10/v1' }));
    await askAgain();
    expect(asked).toHaveLength(2);
    unwrap(await deleteProvider(context, TESTER, 'local', { evenInUse: true }));
    await askAgain();
    expect(asked).toHaveLength(3);
  });

  test('is deleted with the run that paid for it; a run deleted during the call stores nothing', async () => {
    const { context, runId } = await aRun();
    const { asked, call } = counting();
    const ask = askedBy(reusePaidResponses({ database: db.database(), call, owner: { runId } }));
    const same = randomUUID();
    await ask(question(same));
    await deleteRun(context, TESTER, runId);
    await ask(question(same));
    await ask(question(same));
    expect(asked).toHaveLength(3);
  });
});

describe('concurrent identical requests', () => {
  async function together(count: number, wait: Parameters<typeof counting>[0]) {
    const { asked, call } = counting(wait);
    const same = randomUUID();
    const callers = await Promise.all(
      Array.from({ length: count }, async () => {
        const { runId } = await aRun();
        return askedBy(reusePaidResponses({ database: db.database(), call, owner: { runId } }));
      }),
    );
    return { asked, outcomes: await Promise.all(callers.map((ask) => ask(question(same)))) };
  }

  test('one is sent and paid for', async () => {
    const { asked, outcomes } = await together(5, async () => undefined);
    expect(asked).toHaveLength(1);
    const replies = outcomes.map(responseOf);
    expect(replies.map(({ text }) => text)).toEqual(Array.from({ length: 5 }, () => 'answer 1'));
    expect(replies.filter(({ costUsd }) => costUsd === 0.01)).toHaveLength(1);
  });

  test('another is sent if the first is cancelled', async () => {
    const { asked, outcomes } = await together(3, async (number) => (number === 1 ? CANCELLED : undefined));
    expect(asked).toHaveLength(2);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(2);
  });

  test('one cancelled while waiting returns immediately', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { asked, call } = counting(() => promise);
    const { runId } = await aRun();
    const waiting = new AbortController();
    const open = (signal?: AbortSignal) =>
      askedBy(reusePaidResponses({ database: db.database(), call, owner: { runId } }), signal);
    const same = randomUUID();
    const [first, second] = [open()(question(same)), open(waiting.signal)(question(same))];
    waiting.abort();
    expect(await second).toEqual(CANCELLED);
    resolve(undefined);
    expect(responseOf(await first)).toMatchObject(PAID);
    expect(asked).toHaveLength(1);
  });
});
