import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { serveApi } from '#lib/api/serve-api.ts';
import { passUnknownMethod } from './guard-requests.ts';

function pass(url: string, method: string) {
  const request = { url, method, headers: {} as Record<string, string> };
  passUnknownMethod(request as unknown as IncomingMessage);
  return request;
}

test.each([
  ['/api/v1/budget', ['GET', 'HEAD', 'OPTIONS', 'PUT']],
  ['/api/v1/runs/x/stop', ['OPTIONS', 'POST']],
  ['/api/v1/runs/import?dryRun=true', ['OPTIONS', 'POST']],
  ['/api', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']],
])('%s rejects PROPFIND with a JSON error and the allowed methods', async (url, known) => {
  const { method, headers } = pass(url, 'PROPFIND');
  const response = await serveApi(new Request(`http://127.0.0.1:3000${url}`, { method, headers }));
  expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({
    status: 405,
    allow: known.join(', '),
  });
  expect(await response.json()).toEqual({
    error: { code: 'method_not_allowed', message: expect.stringContaining('not PROPFIND') },
  });
});

test.each([
  ['/runs/1', 'PROPFIND'],
  ['/apis', 'PROPFIND'],
  ['/api/v1/budget', 'HEAD'],
  ['/api/v1/budget', 'DELETE'],
  ['/api/v1/budget', 'OPTIONS'],
])('passes %s through unchanged with %s', (url, method) => {
  expect(pass(url, method)).toEqual({ url, method, headers: {} });
});
