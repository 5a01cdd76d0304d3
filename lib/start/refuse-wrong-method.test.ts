import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENTRIES } from '#lib/team/entries.ts';
import { refuseWrongMethod } from './refuse-wrong-method.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** The name that Hone answers to where nothing is set. */
const OWN = '127.0.0.1:3000';
const server = createServer((incoming, response) => {
  if (!refuseWrongMethod(incoming, response)) response.end('let through');
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

async function ask(path: string, method: string, headers: Record<string, string> = {}) {
  const { port } = server.address() as AddressInfo;
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    agent: false,
    headers: { host: OWN, ...headers },
  }).end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, allow: response.headers.allow, body: await text(response) };
}

const routes = ENTRIES.filter(({ kind, path }) => kind === 'route' && path?.startsWith('/api/'));
const paths = [...new Set(routes.map(({ path }) => path ?? ''))];

test.each(paths)('%s is asked by its own methods, and refuses all others in the form of errors', async (path) => {
  const known = routes.filter((route) => route.path === path).map(({ exported }) => exported);
  for (const method of [...METHODS, 'PROPFIND']) {
    const { status, allow, body } = await ask(path.replaceAll(/\{.+?\}/g, 'x'), method);
    if (known.includes(method)) expect(body).toBe('let through');
    else {
      expect(status).toBe(405);
      for (const one of known) expect(allow?.split(', ')).toContain(one);
      expect(JSON.parse(body)).toEqual({
        error: { code: 'method_not_allowed', message: expect.stringContaining(`not ${method}`) },
      });
    }
  }
});

test.each([
  ['/runs/1', 'PUT'],
  ['/api', 'DELETE'],
  ['/api/v1/budget', 'HEAD'],
  ['/api/v1/budget', 'OPTIONS'],
  ['/api/v1/runs/%69mport', 'POST'],
])('%s may be asked for with %s', async (path, method) => {
  expect(await ask(path, method)).toMatchObject({ status: 200 });
});

test.each([
  ['by another name', { host: 'evil.example' }],
  ['by a page of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
])('who asks %s is left to be refused as ever', async (_name, headers) => {
  expect(await ask('/api/v1/budget', 'DELETE', headers)).toMatchObject({ body: 'let through' });
});
