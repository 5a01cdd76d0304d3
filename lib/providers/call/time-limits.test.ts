import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import {
  type Answer,
  brokenStream,
  completion,
  type ScriptedServer,
  status,
} from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { createModelCaller } from './create-model-caller.ts';
import type { ModelOutcome, ModelRequest } from './model-caller.ts';

/** 100 characters with its instructions: estimated at 25 tokens. */
const request: ModelRequest = {
  ...{ role: 'generate', ordinal: 0, model: { provider: 'local', model: 'small' }, instructions: 'i'.repeat(40) },
  ...{ prompt: 'p'.repeat(60), temperature: null, maxOutputTokens: null, output: null },
};

async function ask(
  answers: Answer[],
  options: Partial<ProviderConfiguration> & {
    streamed?: boolean;
    timeoutMs?: number;
    signal?: AbortSignal;
    onText?: () => void;
  } = {},
): Promise<{ outcome: ModelOutcome; requests: ScriptedServer['requests']; tookMs: number }> {
  const server = await serveScript(answers);
  const { streamed = false, timeoutMs = 10_000, signal, onText = () => {}, ...changes } = options;
  const configuration: ProviderConfiguration = {
    ...{ name: 'local', kind: 'openai-compatible', baseUrl: server.baseUrl, apiKey: null },
    prices: { small: { inputPerMillionUsd: 1_000_000, outputPerMillionUsd: 2_000_000 } },
    ...changes,
  };
  const call = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async () => configuration,
    sleep: async () => {},
    timeoutMs,
  });
  const startedAt = performance.now();
  const outcome = await call(request, {
    signal: signal ?? new AbortController().signal,
    onText: streamed ? onText : null,
  });
  return { outcome, requests: server.requests, tookMs: performance.now() - startedAt };
}

const after =
  (ms: number, answer: Answer): Answer =>
  (response, body, whole) =>
    void setTimeout(() => answer(response, body, whole), ms);

/** Streams the pieces with a pause before each, then ends. */
function slowly(pieces: string[], pauseMs: number, ends = true): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta: object, finish: string | null) =>
      response.write(
        `data: ${JSON.stringify({ id: 'x', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      );
    for (const content of pieces) {
      await delay(pauseMs);
      if (response.destroyed) return;
      send({ content }, null);
    }
    if (!ends) return;
    send({}, 'stop');
    response.end('data: [DONE]\n\n');
  };
}

describe('a slow response', () => {
  test('succeeds in one attempt within the timeout of its provider', async () => {
    const { outcome, requests } = await ask([after(1_000, completion('Late.'))], {
      timeoutMs: 500,
      timeoutSeconds: 30,
    });
    expect(outcome).toMatchObject({ ok: true, reply: { text: 'Late.', attempts: 1 } });
    expect(outcome.ok && outcome.reply).not.toHaveProperty('maybeBilled');
    expect(requests).toHaveLength(1);
  });

  test('may exceed the timeout when streamed, because each piece restarts it', async () => {
    const pieces = ['a', 'b', 'c', 'd', 'e', 'f'];
    const { outcome, requests, tookMs } = await ask([slowly(pieces, 500)], { streamed: true, timeoutMs: 2_500 });
    expect(outcome).toMatchObject({ ok: true, reply: { text: 'abcdef', attempts: 1 } });
    expect(tookMs).toBeGreaterThan(2_500);
    expect(requests).toHaveLength(1);
  });

  test('times out after ten times the timeout in total', async () => {
    const endless = slowly(
      Array.from({ length: 600 }, () => 'word '),
      20,
      false,
    );
    const { outcome, requests } = await ask([endless], { streamed: true, timeoutMs: 800 });
    expect(outcome).toMatchObject({
      ok: false,
      failure: { kind: 'timeout', attempts: 1, message: expect.stringMatching(/still answering after 8 s/) },
    });
    expect(requests).toHaveLength(1);
  });
});

describe('a timeout', () => {
  test.each([false, true])('is retried once if nothing was received (streamed: %s)', async (streamed) => {
    const { outcome, requests } = await ask([() => {}], { streamed, timeoutMs: 300 });
    expect(outcome).toMatchObject({
      ok: false,
      failure: {
        ...{ kind: 'timeout', attempts: 2, message: expect.stringMatching(/did not respond within 0\.3 s/) },
        ...{ tokenUsage: { input: 50, output: 0, total: 50 }, costUsd: 50 },
        maybeBilled: { tries: 2, input: 50, output: 0, costUsd: 50 },
      },
    });
    expect(requests).toHaveLength(2);
  });

  test('is not retried after a partial response, whose tokens are counted', async () => {
    const { outcome, requests } = await ask([brokenStream(['r'.repeat(80)], () => {})], {
      streamed: true,
      timeoutMs: 2_000,
    });
    expect(outcome).toMatchObject({
      ok: false,
      failure: {
        ...{ kind: 'timeout', attempts: 1, message: expect.stringMatching(/then sent nothing for 2 s/) },
        ...{ tokenUsage: { input: 25, output: 20, total: 45 }, costUsd: 65 },
        maybeBilled: { tries: 1, input: 25, output: 20, costUsd: 65 },
      },
    });
    expect(requests).toHaveLength(1);
  });

  test('before a successful attempt adds to its cost', async () => {
    const { outcome } = await ask([() => {}, completion('Good.')], { timeoutMs: 1_500 });
    expect(outcome).toMatchObject({
      ok: true,
      reply: {
        ...{ text: 'Good.', attempts: 2, tokenUsage: { input: 37, output: 5, total: 42 }, costUsd: 47 },
        maybeBilled: { tries: 1, input: 25, output: 0, costUsd: 25 },
      },
    });
  });

  test('has tokens but no cost if the price is unknown', async () => {
    const { outcome } = await ask([() => {}], { timeoutMs: 60, prices: {} });
    expect(outcome).toMatchObject({
      failure: { tokenUsage: { total: 50 }, costUsd: null, maybeBilled: { costUsd: null } },
    });
  });
});

describe('a possibly billed attempt', () => {
  test('is a response that broke off', async () => {
    const { outcome } = await ask(
      [brokenStream(['r'.repeat(40)], (response) => void response.socket?.destroy()), completion('Good.')],
      { streamed: true },
    );
    expect(outcome).toMatchObject({ ok: true, reply: { maybeBilled: { tries: 1, input: 25, output: 10 } } });
  });

  test('is a response that a content filter cut off, without another attempt', async () => {
    const blocked: Answer = brokenStream(['r'.repeat(40)], (response) => {
      const error = { message: 'Output blocked by content filtering policy', code: 400 };
      response.end(`data: ${JSON.stringify({ error })}\n\n`);
    });
    const { outcome, requests } = await ask([blocked, completion('Good.')], { streamed: true });
    expect(requests).toHaveLength(1);
    expect(outcome).toMatchObject({
      failure: { kind: 'refused', maybeBilled: { tries: 1, input: 25, output: 10 } },
    });
  });

  test('is a call aborted during the response', async () => {
    const stop = new AbortController();
    const { outcome } = await ask([brokenStream(['r'.repeat(40)], () => {})], {
      ...{ streamed: true, signal: stop.signal, onText: () => stop.abort() },
    });
    expect(outcome).toMatchObject({ failure: { kind: 'aborted', maybeBilled: { tries: 1, input: 25, output: 10 } } });
  });

  test.each<[string, Answer]>([
    ['a rejection', status(429, 'slow down')],
    ['a server error', status(500, 'broken')],
    ['a connection that drops before the response', (response) => void response.socket?.destroy()],
  ])('is not %s', async (_name, answer) => {
    const { outcome } = await ask([answer]);
    expect(outcome).toMatchObject({ ok: false, failure: { costUsd: 0, tokenUsage: { total: 0 } } });
    expect(!outcome.ok && outcome.failure).not.toHaveProperty('maybeBilled');
  });
});
