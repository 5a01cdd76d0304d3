import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { createdSchema, experimentSchema } from '#lib/api/experiments-schema.ts';
import { givenReviewSchema } from '#lib/api/lessons-schema.ts';
import { madeApiTokenSchema } from '#lib/api/team.ts';
import { apiTokenSchema } from '#lib/auth/api-token.ts';
import { lessonDetailSchema } from '#lib/core/lesson-library.ts';
import { expect, test } from './api-test.ts';
import { type Api, SMALL } from './open-api.ts';

const content = z.array(z.object({ type: z.literal('text'), text: z.string() }));
const started = z.object({ runId: z.string() });
const status = z.object({ status: z.string(), result: z.string().nullable() });

function makeToken(api: Api, scopes: string[]) {
  return api.read(madeApiTokenSchema, 'POST', '/api/v1/tokens', { name: scopes.join(' '), scopes });
}

/** Connects the official client over HTTP with a token. */
async function connect(address: string, token: string) {
  const client = new Client({ name: 'spec', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/api/mcp`), { requestInit }));
  async function use<Shape extends z.ZodType>(name: string, input: Record<string, unknown>, shape: Shape) {
    const result = await client.callTool({ name, arguments: input });
    const text = content
      .parse(result.content)
      .map((part) => part.text)
      .join('');
    if (result.isError) throw new Error(text);
    return shape.parse(JSON.parse(text));
  }
  return { client, use };
}

test('the official client lists every tool and calls each of them', async ({ api, app }) => {
  const { token } = await makeToken(api, ['lessons:read', 'lessons:write', 'runs:read', 'runs:write']);
  const { client, use } = await connect(app.address, token);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['recall_lessons', 'submit_lesson', 'start_run', 'read_run']);

  const text = 'Before you explain a zeppelin, say which one.';
  const lesson = await use('submit_lesson', { text }, z.object({ id: z.string(), status: z.string() }));
  expect(lesson.status).toBe('candidate');
  await expect(async () => {
    const { status: now } = await api.read(lessonDetailSchema, 'GET', `/api/v1/lessons/${lesson.id}`);
    expect(now).toBe('quarantined');
  }).toPass({ timeout: 20_000 });
  const review = { verdict: 'promote', seen: 'quarantined', editCount: 0 };
  await api.read(givenReviewSchema, 'POST', `/api/v1/lessons/${lesson.id}/reviews`, review);
  const recalled = z.object({ lessons: z.array(z.object({ id: z.string(), text: z.string() })) });
  expect((await use('recall_lessons', { task: 'Explain the zeppelin' }, recalled)).lessons).toEqual([
    { id: lesson.id, text },
  ]);

  const experiment = await api.createExperiment({ name: 'By agents', maxIterations: 1 });
  const { runId } = await use('start_run', { experiment: 'by agents', input: 'Explain our rate limits' }, started);
  expect((await api.waitForRun(runId, ['finished'])).experimentId).toBe(experiment);
  const run = await use('read_run', { runId }, status);
  expect(run.status).toBe('finished');
  expect(run.result).toContain('rate limits');
  await client.close();
});

test('rejects missing, invalid and revoked tokens, foreign origins and foreign hosts', async ({ api, app }) => {
  const made = await makeToken(api, ['lessons:read']);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const accept = 'application/json, text/event-stream';
  const ask = (headers: Record<string, string>) =>
    api.call('POST', '/api/mcp', list, { headers: { accept, ...headers } });
  const own = { authorization: `Bearer ${made.token}` };
  expect(await ask(own)).toMatchObject({ status: 200, text: expect.stringContaining('recall_lessons') });
  for (const authorization of [
    '',
    'Bearer ',
    'Basic aG9uZTpob25l',
    `Bearer ${made.token.slice(0, -1)}`,
    'Bearer hone_x',
  ])
    expect(await ask(authorization === '' ? {} : { authorization })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer', 'cache-control': 'no-store' },
      // Without JSON-RPC, the Python client says only that the server returned an error.
      body: { jsonrpc: '2.0', id: null, error: { message: expect.stringContaining('token') } },
    });
  expect(await ask({ ...own, origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' })).toMatchObject({
    status: 403,
  });
  expect(await ask({ ...own, host: `attacker.example:${app.port}` })).toMatchObject({ status: 403 });
  expect(await api.call('GET', '/api/mcp', undefined, { headers: { accept, ...own } })).toMatchObject({ status: 405 });
  const { client } = await connect(app.address, made.token);
  const refused = await client.callTool({ name: 'read_run', arguments: { runId: made.id } });
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('scope runs:read') }] });

  expect((await api.read(apiTokenSchema, 'DELETE', `/api/v1/tokens/${made.id}`)).revokedAt).not.toBeNull();
  expect(await ask(own)).toMatchObject({ status: 401 });
  await expect(client.listTools()).rejects.toThrow();
});

test('other API routes enforce a token if a client sends one', async ({ api }) => {
  const reader = await makeToken(api, ['runs:read']);
  const headers = { authorization: `Bearer ${reader.token}` };
  const wrong = { authorization: 'Bearer sk-of-another-service' };
  expect(await api.call('GET', '/api/v1/runs', undefined, { headers })).toMatchObject({ status: 200 });
  expect(await api.call('GET', '/api/v1/runs', undefined, { headers: wrong })).toMatchObject({ status: 401 });
  const refusals: [string, string, unknown, string][] = [
    ['GET', '/api/v1/lessons', undefined, 'scope lessons:read'],
    ['POST', '/api/v1/experiments', SMALL, 'scope runs:write'],
    ['POST', '/api/v1/tokens', { name: 'more', scopes: ['runs:write'] }, 'scope runs:write'],
    ['GET', '/api/v1/tokens', undefined, 'role owner'],
    ['GET', '/api/v1/webhooks', undefined, 'role owner'],
    ['POST', `/api/v1/lessons/${reader.id}/reviews`, { verdict: 'promote' }, 'An API token cannot do this'],
  ];
  for (const [method, path, body, words] of refusals)
    expect({ path, ...(await api.call(method, path, body, { headers })) }).toMatchObject({
      path,
      status: 403,
      body: { error: { code: 'forbidden', message: expect.stringContaining(words) } },
    });
  const writer = await makeToken(api, ['runs:read', 'runs:write']);
  const byToken = { headers: { authorization: `Bearer ${writer.token}` } };
  expect(await api.call('POST', '/api/v1/tokens', { name: 'more', scopes: ['runs:write'] }, byToken)).toMatchObject({
    status: 403,
  });
  const made = await api.read(createdSchema, 'POST', '/api/v1/experiments', SMALL, byToken);
  const { versions } = await api.read(experimentSchema, 'GET', `/api/v1/experiments/${made.id}`);
  expect(versions[0]?.actor).toBe('runs:read runs:write (API token)');

  const listed = await api.call('GET', '/api/v1/tokens');
  for (const { token, lastFour } of [reader, writer]) {
    expect(listed.text).toContain(lastFour);
    expect(listed.text).not.toContain(token);
  }
});

test('rejects invalid token requests with their field', async ({ api }) => {
  const refusals: [unknown, string][] = [
    [{ name: '', scopes: ['runs:read'] }, 'name'],
    [{ name: 'x', scopes: [] }, 'scopes'],
    [{ name: 'x', scopes: ['runs:all'] }, 'scopes.0'],
    [{ name: 'x', scopes: ['runs:read', 'runs:read'] }, 'scopes'],
    [{ name: 'x', scopes: ['runs:read'], days: 0 }, 'days'],
    [{ name: 'x', scopes: ['runs:read'], token: 'hone_mine' }, 'token'],
  ];
  for (const [body, field] of refusals)
    expect(await api.call('POST', '/api/v1/tokens', body)).toMatchObject({ status: 400, body: { error: { field } } });
  const unknownId = '00000000-0000-4000-8000-000000000000';
  expect(await api.call('DELETE', `/api/v1/tokens/${unknownId}`)).toMatchObject({ status: 404 });
});
