import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuseMalformedRequest } from './guard-requests.ts';

const server = createServer((incoming, response) => {
  if (!refuseMalformedRequest(incoming, response)) response.end('let through');
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

async function ask(path: string, method = 'GET'): Promise<{ status: number | undefined; body: string }> {
  const { port } = server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, path, method, agent: false }).end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, body: await text(response) };
}

test.each(['/', '/runs/1', '/prompts/a%2Fb', '/api/v1/runs?q=%', '/100%25', '/%F0%9F%99%82'])(
  'accepts the path %s',
  async (path) => {
    expect(await ask(path)).toEqual({ status: 200, body: 'let through' });
  },
);

test.each(['/runs/%E0%A4%A', '/%', '/a%2', '/%FF'])('rejects the malformed path %s', async (path) => {
  expect(await ask(path)).toEqual({ status: 400, body: 'Hone can’t handle this request.\n' });
});

test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('returns a JSON error below /api for %s', async (method) => {
  const { status, body } = await ask('/api/v1/runs/%E0%A4%A', method);
  expect(status).toBe(400);
  expect(JSON.parse(body)).toEqual({ error: { code: 'invalid', message: expect.stringContaining('%25') } });
});

test.each([
  ['a request target that is not a path', 'http://else.example/', 'GET'],
  ['the TRACE method', '/', 'TRACE'],
])('rejects %s', async (_case, path, method) => {
  expect((await ask(path, method)).status).toBe(400);
});
