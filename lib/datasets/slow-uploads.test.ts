import { once } from 'node:events';
import { type ClientRequest, createServer, type IncomingMessage, request as requestHttp } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { Result } from '#lib/core/problem.ts';
import { closeDatabase, type Database, openDatabase } from '#lib/database/database.ts';
import { importRuns } from '#lib/exchange/import-runs.ts';
import { readBytes, receiveBody } from '#lib/http/read-body.ts';
import { respond } from '#lib/http/serve-route.ts';
import type { UploadLimits } from '#lib/http/uploads/read-at-pace.ts';
import { TESTER, testContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { importCases } from './import-cases.ts';
import { DEFAULT_IMPORT_OPTIONS } from './import-options.ts';

const db = useTestDatabase();

/** Same as the limits of the routes, but smaller: 100 bytes in each 500 ms. */
const LIMITS: UploadLimits = { minBytesPerSecond: 200, windowMs: 500, totalMs: 60_000, perPerson: 2 };
const PATIENT: UploadLimits = { ...LIMITS, windowMs: 60_000 };
const CONNECTIONS = 2;
const PATIENCE = { interval: 50, timeout: 15_000 };

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Handle = (request: Request, database: Database) => Promise<Result<unknown>>;

/** Starts a server with a pool of two connections that responds to each request with the result of `handle`. */
async function serve(handle: Handle): Promise<{ port: number; database: Database; received: () => number }> {
  const database = openDatabase(db.connectionString, { maxConnections: CONNECTIONS });
  const running = new Set<Promise<void>>();
  const server = createServer((incoming, response) => {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const headers = new Headers({ 'x-person': String(incoming.headers['x-person'] ?? 'ada') });
    const init = { method: 'POST', headers, body: incoming, duplex: 'half', signal: left.signal };
    const request = new Request('http://127.0.0.1/', init as unknown as RequestInit);
    const work = respond(() => handle(request, database), { status: 201 }).then(async (given) => {
      response.writeHead(given.status, Object.fromEntries(given.headers)).end(await given.text());
    });
    running.add(work);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await Promise.all(running);
    await closeDatabase(database);
  });
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return { port, database, received: () => running.size };
}

/** Returns a handler that reads the cases of an upload; the header names the sender. */
function casesUnder(limits: UploadLimits): Handle {
  return (request, database) => {
    const actor = { ...TESTER, id: request.headers.get('x-person') ?? '' };
    return receiveBody(request, { actor, limitBytes: 1_000_000, limits }, (bytes) =>
      importCases(testContext(database), actor, { name: 'Sent' }, { format: 'jsonl', bytes }, DEFAULT_IMPORT_OPTIONS),
    );
  };
}

/** Starts a request and leaves it open. */
function begin(port: number, person = 'ada'): ClientRequest {
  const sending = requestHttp({ port, host: '127.0.0.1', method: 'POST', headers: { 'x-person': person } });
  sending.on('error', () => undefined);
  sending.flushHeaders();
  closing.push(() => sending.destroy());
  return sending;
}

/** Sends one byte repeatedly. */
function trickle(port: number, person = 'ada', everyMs = 20): ClientRequest {
  const sending = begin(port, person);
  const timer = setInterval(() => sending.write(' '), everyMs);
  closing.push(() => clearInterval(timer));
  return sending;
}

async function answerOf(sending: ClientRequest) {
  const [response]: IncomingMessage[] = await once(sending, 'response', { signal: AbortSignal.timeout(15_000) });
  if (response === undefined) throw new Error('there was no answer');
  return { status: response.statusCode, headers: response.headers, body: await json(response) };
}

function upload(port: number, person = 'ada', body = '{"input": "a"}') {
  const sending = begin(port, person);
  sending.end(body);
  return answerOf(sending);
}

describe('slow uploads hold no database connection', () => {
  test.each<[string, Handle]>([
    ['cases', casesUnder({ ...PATIENT, perPerson: 20 })],
    [
      'past runs',
      (request, database) =>
        receiveBody(request, { actor: TESTER, limitBytes: 1_000_000, limits: { ...PATIENT, perPerson: 20 } }, (bytes) =>
          importRuns(testContext(database), TESTER, bytes, { name: null, solvedFrom: 1, dryRun: false }),
        ),
    ],
  ])('%s', async (_name, handle) => {
    const { port, database } = await serve(handle);
    for (let sent = 0; sent < 10; sent++) trickle(port);
    await sleep(500);
    // The uploads go on until the end of the test, so a connection that one of them holds is never free.
    const queries = Array.from({ length: CONNECTIONS }, () => database.pool.query('SELECT pg_sleep(0.1)'));
    await Promise.race([
      Promise.all(queries),
      sleep(15_000).then(() => Promise.reject(new Error('there was no connection for 15 s'))),
    ]);
    expect([database.pool.totalCount, database.pool.idleCount]).toEqual([CONNECTIONS, CONNECTIONS]);
  });
});

describe('slow upload', () => {
  test('below the minimum rate is refused with 408, the reason and a remedy', async () => {
    const { port } = await serve(casesUnder(LIMITS));
    const { status, headers, body } = await answerOf(trickle(port));
    expect([status, headers.connection]).toEqual([408, 'close']);
    const message =
      'The body arrived at less than 200 bytes per second for 0.5 s. Nothing was stored. Send it again over a faster connection, or in several smaller parts.';
    expect(body).toEqual({ error: { code: 'too_slow', message } });
  });

  test('that stalls midway is refused', async () => {
    const { port } = await serve(casesUnder(LIMITS));
    const sending = begin(port);
    sending.write(`{"input": "${'a'.repeat(5_000)}`);
    expect(await answerOf(sending)).toMatchObject({ status: 408 });
  });

  test('that exceeds the total time is refused even at a steady rate', async () => {
    const { port } = await serve(casesUnder({ ...PATIENT, totalMs: 700 }));
    const { status, body } = await answerOf(trickle(port));
    expect(status).toBe(408);
    expect(body).toMatchObject({ error: { message: expect.stringContaining('took longer than 0.7 s') } });
  });

  test('is refused when the body is read into memory', async () => {
    const { port } = await serve((request) => readBytes(request, 1_000_000, LIMITS));
    expect(await answerOf(trickle(port))).toMatchObject({ status: 408, body: { error: { code: 'too_slow' } } });
  });
});

describe('concurrent uploads', () => {
  test('are limited per person, with Retry-After, without delaying other people', async () => {
    const { port, received } = await serve(casesUnder(PATIENT));
    for (let sent = 0; sent < 2; sent++) trickle(port, 'ada');
    await expect.poll(received, PATIENCE).toBe(2);
    const refused = await upload(port, 'ada');
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '5' },
      body: { error: { code: 'rate_limited', message: expect.stringContaining('2 uploads running') } },
    });
    expect(await upload(port, 'ben')).toMatchObject({ status: 201 });
  });

  test.each([
    ['is stored', (sending: ClientRequest) => void sending.end('{"input": "a"}')],
    ['is rejected', (sending: ClientRequest) => void sending.end('{')],
    ['is aborted', (sending: ClientRequest) => void sending.destroy()],
  ])('free their slot once one %s', async (_name, finish) => {
    const { port, received } = await serve(casesUnder(PATIENT));
    const held = [begin(port), begin(port)];
    for (const sending of held) sending.write(' ');
    await expect.poll(received, PATIENCE).toBe(2);
    expect(await upload(port)).toMatchObject({ status: 429 });
    for (const sending of held) finish(sending);
    await expect.poll(() => upload(port), PATIENCE).toMatchObject({ status: 201 });
  });
});
