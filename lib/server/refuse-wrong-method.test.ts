import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuseWrongMethod } from './refuse-wrong-method.ts';

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

test.each([
  ['/api/v1/budget', ['GET', 'HEAD', 'OPTIONS', 'PUT']],
  ['/api/v1/runs/x/stop', ['OPTIONS', 'POST']],
  ['/api/v1/runs/import?dryRun=true', ['OPTIONS', 'POST']],
  ['/api', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']],
])('%s refuses PROPFIND in the form of errors, with the methods that it knows', async (path, known) => {
  const { status, allow, body } = await ask(path, 'PROPFIND');
  expect({ status, allow }).toEqual({ status: 405, allow: known.join(', ') });
  expect(JSON.parse(body)).toEqual({
    error: { code: 'method_not_allowed', message: expect.stringContaining('not PROPFIND') },
  });
});

test.each([
  ['/runs/1', 'PROPFIND'],
  ['/apis', 'PROPFIND'],
  ['/api/v1/budget', 'HEAD'],
  ['/api/v1/budget', 'DELETE'],
])('%s is handed on with %s', async (path, method) => {
  expect(await ask(path, method)).toMatchObject({ status: 200 });
});

test.each([
  ['by another name', { host: 'evil.example' }],
  ['by a page of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
])('who asks %s is left to be refused as ever', async (_name, headers) => {
  expect(await ask('/api/v1/budget', 'PROPFIND', headers)).toMatchObject({ body: 'let through' });
});
