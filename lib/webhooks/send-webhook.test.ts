import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import { type Answer, raw, type ScriptedServer, status } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { type Delivery, sendWebhook } from './send-webhook.ts';

const LOOPBACK: AddressRules = { allowLoopback: true, allowedPrivateHosts: [] };
const SECRET = 'a secret of the test';
const LIMITS = { timeoutMs: 400, backOffMs: [5, 10] };

async function send(
  answers: Answer[],
  options: { body?: unknown; rules?: AddressRules; signal?: AbortSignal; resolve?: Resolve; url?: string } = {},
): Promise<{ delivery: Delivery; requests: ScriptedServer['requests'] }> {
  const server = await serveScript(answers);
  const {
    body = { output: 'Paris' },
    rules = LOOPBACK,
    signal = new AbortController().signal,
    url = server.baseUrl,
  } = options;
  const delivery = await sendWebhook({ name: 'checker', url, secret: SECRET }, body, {
    rules,
    signal,
    limits: LIMITS,
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
  });
  return { delivery, requests: server.requests };
}

const FINE = raw('{"score": 1}');

test('sends a delivery with signature, id and timestamp, and parses the JSON response', async () => {
  const { delivery, requests } = await send([FINE], { body: { output: 'Zürich 🏔' } });
  expect(delivery).toMatchObject({ ok: true, json: { score: 1 }, attempts: 1 });
  const [request] = requests;
  const timestamp = String(request?.headers['hone-timestamp']);
  expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    'hone-delivery': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'hone-signature': createHmac('sha256', SECRET).update(`${timestamp}.{"output":"Zürich 🏔"}`).digest('hex'),
  });
  expect(JSON.stringify(request)).not.toContain(SECRET);
});

describe('retries', () => {
  test.each<[string, Answer[]]>([
    ['after a 500', [status(500, 'broken'), FINE]],
    ['after a 503 and a 429', [status(503, 'busy'), status(429, 'slowly', { 'retry-after': '0' }), FINE]],
    ['after a dropped connection', [(response) => response.destroy(), FINE]],
  ])('%s, as the same delivery', async (_name, answers) => {
    const { delivery, requests } = await send(answers);
    expect(delivery).toMatchObject({ ok: true, attempts: answers.length });
    expect(new Set(requests.map(({ headers }) => headers['hone-delivery'])).size).toBe(1);
  });

  test('after the Retry-After delay if it exceeds the back-off', async () => {
    const startedAt = performance.now();
    await send([status(503, 'busy', { 'retry-after-ms': '150' }), FINE]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(150);
  });
});

describe('fails with a reason', () => {
  const hang: Answer = () => undefined;
  const drip: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  };
  const endless: Answer = (response) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64_000, 'x')));
      response.once('drain', more);
    };
    more();
  };
  const halfWay: Answer = (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"score":');
    setTimeout(() => response.destroy(), 10);
  };
  const redirect =
    (code: number): Answer =>
    (response) => {
      response.writeHead(code, { location: 'http://127.0.0.1:1/inside' });
      response.end();
    };
  test.each<[string, Answer, string, RegExp, number]>([
    ['400, without a retry', status(400, 'no'), 'status', /status 400/, 1],
    ['401', status(401, 'no'), 'status', /status 401/, 1],
    ['404', status(404, 'no'), 'status', /status 404/, 1],
    ['500 three times', status(500, 'broken'), 'status', /status 500/, 3],
    ['429 three times', status(429, 'slowly'), 'status', /status 429/, 3],
    ['a connection dropped three times', (response) => response.destroy(), 'unreachable', /could not be reached/, 3],
    ['a truncated response', halfWay, 'unreachable', /could not be reached/, 3],
    ['no response', hang, 'timed_out', /within 0\.4 seconds/, 1],
    ['a response that never ends', drip, 'timed_out', /within 0\.4 seconds/, 1],
    ['an endless response', endless, 'too_large', /more than 1 MB/, 1],
    ['a redirect', redirect(302), 'redirect', /redirect \(302\)/, 1],
    ['a redirect that keeps the method', redirect(307), 'redirect', /redirect \(307\)/, 1],
    ['a web page', raw('<html>', 'text/html'), 'not_json', /not with JSON/, 1],
    ['an empty response', raw(''), 'not_json', /not with JSON/, 1],
    ['truncated JSON', raw('{"score": 1'), 'not_json', /not with JSON/, 1],
  ])('%s', async (_name, answer, kind, message, attempts) => {
    const { delivery, requests } = await send([answer]);
    expect(delivery).toMatchObject({ ok: false, kind, message: expect.stringMatching(message), attempts });
    expect(requests).toHaveLength(attempts);
  });

  test('for a port without a listener', async () => {
    const { delivery, requests } = await send([FINE], { url: 'http://127.0.0.1:1/' });
    expect(delivery).toMatchObject({
      ok: false,
      kind: 'unreachable',
      message: expect.stringMatching(/ECONNREFUSED/),
      attempts: 3,
    });
    expect(requests).toEqual([]);
  });

  test('for a forbidden URL, without sending a request', async () => {
    const { delivery, requests } = await send([FINE], { rules: { ...LOOPBACK, allowLoopback: false } });
    expect(delivery).toMatchObject({ ok: false, kind: 'refused_address', attempts: 1 });
    expect(requests).toEqual([]);
  });

  test('for a name that resolves to this machine, without sending a request', async () => {
    const rebound: Resolve = (_host, found) => found(null, [{ address: '127.0.0.1' }]);
    const server = await serveScript([FINE]);
    const url = server.baseUrl.replace('127.0.0.1', 'public.example');
    const delivery = await sendWebhook(
      { name: 'checker', url, secret: SECRET },
      {},
      { rules: LOOPBACK, signal: new AbortController().signal, limits: LIMITS, resolve: rebound },
    );
    expect(delivery).toMatchObject({
      ok: false,
      kind: 'refused_address',
      message: expect.stringMatching(/127\.0\.0\.1/),
      attempts: 1,
    });
    expect(server.requests).toEqual([]);
  });

  test('but not for the same address if its host is allowed', async () => {
    const server = await serveScript([FINE]);
    const url = server.baseUrl.replace('127.0.0.1', 'inner.example');
    const inner: Resolve = (_host, found) => found(null, [{ address: '127.0.0.1' }]);
    const delivery = await sendWebhook(
      { name: 'checker', url, secret: SECRET },
      {},
      {
        rules: { allowLoopback: false, allowedPrivateHosts: ['inner.example'] },
        signal: new AbortController().signal,
        limits: LIMITS,
        resolve: inner,
      },
    );
    expect(delivery).toMatchObject({ ok: true });
    expect(server.requests[0]?.headers.host).toMatch(/^inner\.example:/);
  });
});

describe('aborts', () => {
  test('before the request', async () => {
    const { delivery, requests } = await send([FINE], { signal: AbortSignal.abort() });
    expect(delivery).toMatchObject({ ok: false, kind: 'aborted' });
    expect(requests).toEqual([]);
  });

  test('while waiting for a response', async () => {
    const stopping = new AbortController();
    const { delivery } = await send([() => stopping.abort()], { signal: stopping.signal });
    expect(delivery).toMatchObject({ ok: false, kind: 'aborted' });
  });

  test('while waiting for a retry', async () => {
    const stopping = new AbortController();
    const answer: Answer = (response, body, request) => {
      status(503, 'busy', { 'retry-after': '5' })(response, body, request);
      setTimeout(() => stopping.abort(), 50);
    };
    const startedAt = performance.now();
    const { delivery, requests } = await send([answer], { signal: stopping.signal });
    expect(delivery).toMatchObject({ ok: false, kind: 'aborted' });
    expect(requests).toHaveLength(1);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});
