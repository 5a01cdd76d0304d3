import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ADMITTED_HEADER, type StartTokenConfig } from '#lib/auth/start-token.ts';
import { requireStartToken } from './guard-requests.ts';

const TOKEN = 'a-start-token-of-the-tests-which-is-long-enough';
let gate: StartTokenConfig | null;
const server = createServer((incoming, response) => {
  if (!requireStartToken(incoming, response, gate)) response.end(`let through as ${incoming.headers[ADMITTED_HEADER]}`);
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());
afterEach(() => {
  gate = { token: TOKEN, port: 3000, isSecure: false };
});
gate = { token: TOKEN, port: 3000, isSecure: false };

async function ask(path: string, { method = 'GET', ...headers }: OutgoingHttpHeaders & { method?: string } = {}) {
  const { port } = server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }).end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Returns the cookie that a browser stores. */
async function cookie(): Promise<string> {
  const { headers } = await ask(`/?token=${TOKEN}`);
  return headers['set-cookie'][0].split(';')[0];
}

test('the link sets an HttpOnly cookie and removes the token from the URL', async () => {
  const entered = await ask(`/runs?q=a%26b&token=${TOKEN}&page=2`);
  expect(entered).toMatchObject({
    status: 303,
    headers: { location: '/runs?q=a%26b&page=2', 'cache-control': 'no-store' },
    body: '',
  });
  const [set] = entered.headers['set-cookie'];
  expect(set).toMatch(/^hone_start_3000=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
  expect(set).not.toContain(TOKEN);
  expect(await ask('/runs', { cookie: `other=1; ${set.split(';')[0]}` })).toMatchObject({
    status: 200,
    body: 'let through as 1',
  });
});

test('the cookie is Secure behind HTTPS', async () => {
  gate = { token: TOKEN, port: 3000, isSecure: true };
  const { headers } = await ask(`/?token=${TOKEN}`);
  expect(headers['set-cookie'][0]).toMatch(/^__Host-hone_start_3000=.*; Secure$/);
});

test('the link does not redirect to another host', async () => {
  for (const path of [`//evil.example/x?token=${TOKEN}`, `/\\evil.example/x?token=${TOKEN}`])
    expect((await ask(path)).headers.location).toBe('/evil.example/x');
});

describe('requests without a valid cookie return 401', () => {
  test.each([
    ['a page', '/', {}],
    ['a wrong token', '/?token=wrong', {}],
    ['half of the token', `/?token=${TOKEN.slice(0, 20)}`, {}],
    ['an action', '/', { method: 'POST', 'next-action': 'x' }],
    ['a token in a request body', `/?token=${TOKEN}`, { method: 'POST' }],
    ['the API', '/api/v1/experiments', {}],
    ['a stream', '/api/v1/runs/1/events', { accept: 'text/event-stream' }],
    ['an upload', '/api/v1/runs/import', { method: 'POST' }],
    ['metrics', '/metrics', {}],
    ['a path with the prefix of an SDK package', '/sdk/hone-sdk.tgz/../../runs', {}],
    ['a path with the prefix of the health check', '/api/v1/health/../experiments', {}],
    ['another cookie', '/', { cookie: 'hone_start_3000=guess' }],
    ['the token as a cookie', '/', { cookie: `hone_start_3000=${TOKEN}` }],
    ['an unsupported authorization scheme', '/', { authorization: `Basic ${TOKEN}` }],
    ['a page request with an API token', '/runs', { authorization: 'Bearer hone_x' }],
    ['a forged server header', '/', { [ADMITTED_HEADER]: '1' }],
  ])('%s', async (_name, path, headers) => {
    const { status, body } = await ask(path, headers);
    expect(status).toBe(401);
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'unauthorized', message: expect.stringMatching(/link/) } });
  });

  test('the cookie of another installation', async () => {
    const sent = await cookie();
    gate = { token: 'another-token-of-another-installation-here', port: 3000, isSecure: false };
    expect((await ask('/', { cookie: sent })).status).toBe(401);
  });
});

test('a page without the cookie explains how to sign in', async () => {
  const { status, headers, body } = await ask('/runs', { accept: 'text/html,*/*' });
  expect(status).toBe(401);
  expect(headers['content-type']).toMatch('text/html');
  expect(body).toMatch(/Open that link here/);
  expect(body).not.toContain(TOKEN);
});

test.each([
  ['the health check', '/api/v1/health', {}],
  ['the TypeScript SDK package', '/sdk/hone-sdk.tgz', {}],
  ['the Python SDK package', '/sdk/hone-sdk.tar.gz', {}],
  ['an API token, which the route checks', '/api/v1/experiments', { authorization: 'Bearer hone_x' }],
])('%s passes through unauthenticated', async (_name, path, headers) => {
  const sent = { ...headers, [ADMITTED_HEADER]: '1' };
  expect(await ask(path, sent)).toMatchObject({ status: 200, body: 'let through as undefined' });
});

test('everything passes through without a start token', async () => {
  gate = null;
  expect(await ask('/')).toMatchObject({ status: 200 });
});

describe('pages and routes check the token again', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });

  test.each([
    ['the owner if no token is required', '0', {}, true],
    ['the owner with the cookie', '1', { [ADMITTED_HEADER]: '1' }, true],
    ['no one without the cookie', '1', {}, false],
    ['no one with an API token outside of routes', '1', { authorization: 'Bearer hone_x' }, false],
  ])('%s', async (_name, HONE_START_TOKEN, headers, isOwner) => {
    vi.stubEnv('HONE_START_TOKEN', HONE_START_TOKEN);
    vi.resetModules();
    const { findLocalOwner } = await import('#lib/auth/mode.ts');
    expect(findLocalOwner(new Headers(headers)) !== null).toBe(isOwner);
  });
});
