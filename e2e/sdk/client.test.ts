import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { Hone, HoneError } from '../../sdk/typescript/src/index.ts';
import { Prompts } from '../../sdk/typescript/src/prompts.ts';
import { honeCases } from '../../sdk/typescript/src/vitest.ts';

/** Responses to the next requests. The last one is repeated. */
let answers: ((response: ServerResponse) => void)[];
let requests: { method: string | undefined; url: string | undefined; token: string | undefined; key: unknown }[];
let server: ReturnType<typeof createServer>;
let url: string;

beforeEach(async () => {
  answers = [];
  requests = [];
  server = createServer((request, response) => {
    const { method, url, headers } = request;
    requests.push({ method, url, token: headers.authorization, key: headers['idempotency-key'] });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${z.custom<AddressInfo>().parse(server.address()).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const refuse = (status: number, headers: Record<string, string> = {}) =>
  json(status, { error: { code: 'code', message: 'Refused.', field: 'name' } }, headers);
const now = { 'retry-after': '0.01' };
const cut = (response: ServerResponse) => response.destroy();

const errorOf = async (work: Promise<unknown>): Promise<HoneError> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HoneError);
  return error as HoneError;
};

describe('error', () => {
  test('has the status, code, field and message from Hone', async () => {
    answers = [refuse(400)];
    const error = await errorOf(new Hone({ url }).api.getHealth());
    expect(error).toMatchObject({ status: 400, code: 'code', field: 'name', message: 'Refused.', remedy: null });
  });

  test('mentions HONE_API_TOKEN after 401 without a token', async () => {
    answers = [refuse(401)];
    expect((await errorOf(new Hone({ url }).api.getHealth())).message).toContain('Set HONE_API_TOKEN');
  });

  test('reports that another server responded', async () => {
    answers = [(response) => response.writeHead(404).end('<html>')];
    const error = await errorOf(new Hone({ url }).api.getHealth());
    expect(error).toMatchObject({ status: 404, code: 'malformed', remedy: expect.stringContaining('HONE_URL') });
  });

  test('reports that Hone is unreachable', async () => {
    const error = await errorOf(new Hone({ url: 'http://127.0.0.1:1', retries: 0 }).api.getHealth());
    expect(error).toMatchObject({ status: 0, code: 'unreachable', isTemporary: true });
  });

  test('reports a timeout', async () => {
    answers = [() => {}];
    const hone = new Hone({ url, timeoutSeconds: 0.05, retries: 0 });
    expect(await errorOf(hone.api.getHealth())).toMatchObject({ status: 0, code: 'timeout' });
    answers = [(response) => response.writeHead(200, { 'content-length': '90' }).write('{"status"')];
    expect(await errorOf(hone.api.getHealth())).toMatchObject({ status: 0, code: 'timeout' });
  });

  test('is no timeout if the timeout is longer than a timer', async () => {
    answers = [json(200, {})];
    expect(await new Hone({ url, timeoutSeconds: Number.POSITIVE_INFINITY, retries: 0 }).api.getHealth()).toEqual({});
  });

  test.each(['', ' \n'])('uses HONE_API_TOKEN if the token is %j', async (token) => {
    vi.stubEnv('HONE_API_TOKEN', 'hone_env\n');
    answers = [json(200, {})];
    await new Hone({ url, token }).api.getHealth();
    expect(requests[0]?.token).toBe('Bearer hone_env');
    vi.stubEnv('HONE_API_TOKEN', ' ');
    await new Hone({ url, token }).api.getHealth();
    expect(requests[1]?.token).toBeUndefined();
    vi.unstubAllEnvs();
  });

  test('reports a response that ends early, which may succeed later', async () => {
    answers = [
      (response) => {
        response.writeHead(200, { 'content-length': '90' }).write('{"status"');
        setTimeout(() => response.destroy(), 20);
      },
    ];
    const hone = new Hone({ url });
    const read = async () => {
      for await (const _event of hone.api.streamRunEvents('r'));
    };
    for (const work of [() => hone.api.getHealth(), read])
      expect(await errorOf(work())).toMatchObject({ status: 0, code: 'interrupted', isTemporary: true });
  });

  test.each([
    ['a URL without http://', () => new Hone({ url: 'localhost:3000' }).api.getHealth(), '"localhost:3000", but must'],
    ['a token that is a placeholder', () => new Hone({ url, token: 'hone_…' }).api.getHealth(), 'HONE_API_TOKEN has'],
    ['an empty ID', () => new Hone({ url }).runs.get(''), 'An ID or a name in /runs/ is empty'],
    ['a name of another path', () => new Hone({ url }).api.getTarget('..'), 'An ID or a name in /targets/.. is'],
  ])('reports %s at once', async (_name, send, message) => {
    expect(await errorOf(send())).toMatchObject({
      code: 'invalid',
      isTemporary: false,
      message: expect.stringContaining(message),
    });
    expect(requests).toEqual([]);
  });

  test('names the address of a redirect, which would drop the body of a request', async () => {
    answers = [(response) => response.writeHead(301, { location: 'https://hone.example.com/' }).end()];
    const error = await errorOf(new Hone({ url }).api.createPrompt({ name: 'greet', text: 'Hello.' }));
    expect(error).toMatchObject({ status: 301, message: expect.stringContaining('to https://hone.example.com/') });
  });

  test('is the reason of the signal if the caller aborts', async () => {
    answers = [() => {}];
    const reason = new Error('Enough.');
    const signal = AbortSignal.abort(reason);
    await expect(new Hone({ url }).api.getHealth({ signal })).rejects.toBe(reason);
  });
});

test('an empty URL or token means the default', async () => {
  answers = [json(200, { items: [], nextCursor: null })];
  vi.stubEnv('HONE_URL', url);
  vi.stubEnv('HONE_API_TOKEN', 'hone_y\n');
  try {
    await new Hone({ url: '', token: '' }).api.listRuns();
    expect(requests).toMatchObject([{ token: 'Bearer hone_y' }]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('a request sends the token and omits undefined parameters', async () => {
  answers = [json(200, { items: [], nextCursor: null })];
  await new Hone({ url: `${url}/`, token: 'hone_x' }).api.listRuns({ limit: 5, status: undefined });
  expect(requests).toEqual([{ method: 'GET', url: '/api/v1/runs?limit=5', token: 'Bearer hone_x', key: undefined }]);
});

describe('retries', () => {
  test.each([
    ['a read after 503', 'read', refuse(503, now), 2],
    ['a read that a proxy cannot deliver', 'read', refuse(502, now), 2],
    ['a write that a proxy may have delivered', 'change', refuse(504, now), 1],
    ['a read after a dropped connection', 'read', cut, 2],
    ['a read after 500', 'read', refuse(500, now), 1],
    ['a read with a Retry-After that is too long', 'read', refuse(503, { 'retry-after': '900' }), 1],
    ['a write after 429', 'change', refuse(429, now), 2],
    ['a write after 503', 'change', refuse(503, now), 1],
    ['a write after a dropped connection', 'change', cut, 1],
    ['a start of runs, which has an idempotency key', 'start', cut, 2],
  ] as const)('%s', async (_name, kind, first, times) => {
    answers = [first, json(200, { batchId: 'b', runIds: [], status: 'finished', report: {}, counts: {}, held: null })];
    const hone = new Hone({ url, retries: 1 });
    const work = {
      read: () => hone.api.getHealth(),
      change: () => hone.api.stopRun('r'),
      start: () => hone.experiments.run({ experiment: 'e', input: 'Say it.' }),
    }[kind]();
    await work.catch(() => {});
    const same = requests.filter(({ method, url }) => method === requests[0]?.method && url === requests[0]?.url);
    expect(same).toHaveLength(times);
    expect(new Set(same.map(({ key }) => key)).size).toBe(1);
  });
});

describe('prompt', () => {
  const text = (version: number) =>
    json(200, { name: 'greet', version, labels: ['production'], text: `v${version}`, variables: [] });
  let time: number;
  let prompts: Prompts;
  beforeEach(() => {
    time = 0;
    prompts = new Prompts(new Hone({ url }).api, () => time);
  });
  const get = (options = {}) => prompts.get('greet', { label: 'production', ...options });

  test('is cached until it expires', async () => {
    answers = [text(1), text(2)];
    expect(await Promise.all([get(), get()])).toMatchObject([{ text: 'v1', source: 'hone' }, { text: 'v1' }]);
    time = 59_000;
    expect(await get()).toMatchObject({ version: 1 });
    expect(requests).toHaveLength(1);
    time = 61_000;
    expect(await get()).toMatchObject({ version: 2, labels: ['production'] });
  });

  test('is served stale while Hone is down, without a request per use', async () => {
    answers = [text(1), refuse(503), text(2)];
    await get();
    time = 61_000;
    expect(await get()).toMatchObject({ text: 'v1', source: 'stale' });
    expect(await get()).toMatchObject({ text: 'v1', source: 'stale' });
    expect(requests).toHaveLength(2);
    time = 72_000;
    expect(await get()).toMatchObject({ text: 'v2', source: 'hone' });
  });

  test('uses the fallback if Hone is down and the cache is empty', async () => {
    answers = [refuse(503)];
    expect(await get({ fallback: 'Hello.' })).toMatchObject({ text: 'Hello.', version: null, source: 'fallback' });
    expect((await errorOf(get())).status).toBe(503);
  });

  test('throws for a prompt that does not exist, despite a fallback', async () => {
    answers = [refuse(404)];
    expect((await errorOf(get({ fallback: 'Hello.' }))).status).toBe(404);
  });
});

test('a held batch throws an error with a remedy', async () => {
  const held = { message: 'The provider is down.', remedy: 'Check it.' };
  answers = [json(200, { status: 'held', held, counts: {}, report: {} })];
  const seen: string[] = [];
  const follow = new Hone({ url }).experiments.follow('b', { onProgress: ({ status }) => seen.push(status) });
  expect(await errorOf(follow)).toMatchObject({ code: 'held', message: expect.stringContaining('Check it.') });
  expect(seen).toEqual(['held']);
});

describe('a restart of Hone', () => {
  const progress = (status: string) => json(200, { status, held: null, counts: {}, report: {} });
  const events =
    (...ids: number[]) =>
    (response: ServerResponse) =>
      response.end(ids.map((id) => `id: ${id}\nevent: evaluated\ndata: {}\n\n`).join(''));

  test('does not end the wait for a batch', async () => {
    answers = [progress('running'), refuse(503, now), refuse(503, now), cut, progress('finished')];
    const follow = new Hone({ url, retries: 1 }).experiments.follow('b', { pollSeconds: 0 });
    expect((await follow).status).toBe('finished');
  });

  test('is given more time with each retry, although Hone sends a short Retry-After', async () => {
    answers = [refuse(503, now), refuse(503, now), progress('finished')];
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const timer = vi.spyOn(globalThis, 'setTimeout');
    try {
      await new Hone({ url }).api.getBatch('b');
      expect(timer.mock.calls.map(([, ms]) => ms)).toEqual(expect.arrayContaining([375, 750]));
    } finally {
      vi.restoreAllMocks();
    }
  });

  test('does not end the events of a run', async () => {
    answers = [
      events(1, 2),
      json(200, { status: 'running' }),
      cut,
      events(3),
      json(200, { status: 'finished' }),
      (response) => response.writeHead(204).end(),
    ];
    const ids: (string | null)[] = [];
    for await (const { id } of new Hone({ url, retries: 0 }).runs.events('r')) ids.push(id);
    expect(ids).toEqual(['1', '2', '3']);
    const streams = requests.filter((request) => request.url?.includes('/events'));
    expect(streams.map((request) => request.url?.split('?')[1])).toEqual([
      undefined,
      ...['lastEventId=2', 'lastEventId=2', 'lastEventId=3'],
    ]);
  });

  test('does not lose the last events of a run if it cuts off their stream', async () => {
    const interrupt = (response: ServerResponse) =>
      response.writeHead(200, { 'content-length': '90' }).write(': hello', () => response.destroy());
    const finished = json(200, { status: 'finished' });
    answers = [events(1), finished, interrupt, finished, events(2)];
    const ids: (string | null)[] = [];
    for await (const { id } of new Hone({ url, retries: 0 }).runs.events('r')) ids.push(id);
    expect(ids).toEqual(['1', '2']);
  });
});

test('a list iterates over all its pages', async () => {
  answers = [
    json(200, { items: [{ id: 'a' }], nextCursor: '7' }),
    json(200, { items: [{ id: 'b' }], nextCursor: null }),
  ];
  const ids: string[] = [];
  for await (const { id } of new Hone({ url }).runs.list({ status: 'failed' })) ids.push(id);
  expect(ids).toEqual(['a', 'b']);
  expect(requests.map((request) => request.url)).toEqual([
    '/api/v1/runs?status=failed',
    '/api/v1/runs?status=failed&cursor=7',
  ]);
});

describe('honeCases', () => {
  test.each([
    [
      'criteria without weight',
      [{ name: 'clear', evaluator: 'llm' as const, weight: 0 }],
      'All criteria have weight 0',
    ],
    ['neither a score nor criteria', [], 'Set score or criteria'],
  ])('rejects %s before its tests start', async (_name, criteria, message) => {
    const options = { cases: [{ input: 'one' }], run: () => 'two', criteria };
    await expect(honeCases('wrong', options)).rejects.toThrow(message);
  });
});
