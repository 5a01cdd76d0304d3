import { afterEach, expect, test, vi } from 'vitest';
import { apiUrl, callApi, findApi, readApi, SESSION_ENDED, submitApi } from './call-api.ts';

afterEach(() => vi.unstubAllGlobals());

/** Stubs the browser's `fetch` with this response and returns the mock. */
function answer(status: number, body: unknown) {
  const fetched = vi.fn(async () => Response.json(body, { status }));
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

test('apiUrl encodes parameters and omits empty query values', () => {
  expect(
    apiUrl('GET /api/v1/prompts/{name}', { params: { name: 'team/a b' }, query: { version: 2, label: null } }),
  ).toBe('/api/v1/prompts/team%2Fa%20b?version=2');
  expect(apiUrl('GET /api/v1/runs')).toBe('/api/v1/runs');
});

test('sends a body as JSON and a file unchanged', async () => {
  const fetched = answer(201, { id: 'x' });
  await callApi('POST /api/v1/runs/{id}/notes', { params: { id: 'r' }, body: { text: 'Look' } });
  await callApi('POST /api/v1/datasets', { query: { name: 'A & B' }, file: { type: 'text/csv', content: 'input\na' } });
  expect(fetched.mock.calls).toMatchObject([
    [
      '/api/v1/runs/r/notes',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"text":"Look"}' },
    ],
    ['/api/v1/datasets?name=A+%26+B', { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'input\na' }],
  ]);
});

test.each([
  [
    400,
    { code: 'invalid', message: 'limit is wrong.', field: 'limit' },
    { code: 'invalid', message: 'limit is wrong.', field: 'limit' },
  ],
  [
    400,
    {
      ...{ code: 'invalid', message: 'limit is wrong.', field: 'limit' },
      problems: [
        { message: 'limit is wrong.', field: 'limit' },
        { message: 'year is wrong.', field: 'year' },
      ],
    },
    {
      ...{ code: 'invalid', message: 'limit is wrong.', field: 'limit' },
      all: [
        { message: 'limit is wrong.', field: 'limit' },
        { message: 'year is wrong.', field: 'year' },
      ],
    },
  ],
  [401, { code: 'unauthorized', message: 'Sign in.' }, { code: 'unauthorized', message: SESSION_ENDED, field: null }],
  [403, { code: 'forbidden', message: 'Ask an owner.' }, { code: 'forbidden', message: 'Ask an owner.', field: null }],
  [409, { code: 'conflict', message: 'Taken.' }, { code: 'conflict', message: 'Taken.', field: null }],
  [500, { code: 'internal_error', message: 'A bug.' }, { code: 'unavailable', message: 'A bug.', field: null }],
])('reports a response with status %i as a problem', async (status, error, problem) => {
  answer(status, { error });
  expect(await callApi('GET /api/v1/runs')).toEqual({ ok: false, problem });
  await expect(readApi('GET /api/v1/runs')).rejects.toThrow(`GET /api/v1/runs answered ${status}`);
});

test('reports a network failure as a problem', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await callApi('GET /api/v1/runs')).toMatchObject({ ok: false, problem: { code: 'unavailable' } });
});

test('submitApi leaves a network failure to the form', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(submitApi('POST /api/v1/webhooks', { body: {} })).rejects.toThrow('Failed to fetch');
});

test('findApi returns null on 404', async () => {
  answer(404, { error: { code: 'not_found', message: 'There is no lesson with this id.' } });
  expect(await findApi('GET /api/v1/lessons/{id}', { params: { id: 'x' } })).toBeNull();
});
