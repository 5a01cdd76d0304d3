import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { succeed } from '#lib/core/problem.ts';
import { readJson, readText, receiveBody, refuseBody } from './read-body.ts';

function post(
  body: BodyInit | null,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Request {
  const init = { method: 'POST', body, headers, duplex: 'half' };
  return new Request('http://127.0.0.1:3000/api/v1/x', init);
}

/** Returns a body of unknown length that counts the bytes read. */
function endless(): { body: ReadableStream<Uint8Array>; read: () => number } {
  let read = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        read += 20_000;
        controller.enqueue(new Uint8Array(20_000).fill(32));
      },
    },
    { highWaterMark: 0 },
  );
  return { body, read: () => read };
}

describe('route without a body', () => {
  test.each([[null], [''], [' \n'], ['{}'], ['{ }\n']])('accepts %j', async (body) => {
    expect(await refuseBody(post(body))).toBeNull();
  });

  test.each([['{"olderThanDays": 30}'], ['[]'], ['null'], ['{} {}'], ['days=30']])('refuses %s', async (body) => {
    const refused = await refuseBody(post(body, { 'content-type': 'text/plain' }));
    expect(refused).toMatchObject({ ok: false, problem: { code: 'invalid', message: expect.stringContaining('{}') } });
  });
});

describe('readJson', () => {
  const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;

  test('refuses an object with too many members before building it', async () => {
    const startedAt = process.threadCpuUsage();
    for (const body of [members(600_000), `{"a": [{}, ${members(10_001)}]}`])
      expect(await readJson(post(body))).toMatchObject({
        ok: false,
        problem: { code: 'invalid', message: expect.stringContaining('more than 10,000 members') },
      });
    expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(700);
  });

  test.each([
    ['many properties', members(10_000)],
    ['many objects', JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ at, of: { at } })))],
    [
      'text that looks like properties',
      JSON.stringify({ a: '"a":1,'.repeat(20_000), b: `${'\\'.repeat(5)}"${':'.repeat(20_000)}` }),
    ],
  ])('accepts %s', async (_name, body) => {
    expect(await readJson(post(body))).toEqual({ ok: true, value: JSON.parse(body) });
  });

  test.each([
    ['plain', 'application/json'],
    ['with charset', 'application/json; charset=utf-8'],
    ['in upper case', 'Application/JSON'],
  ])('accepts the content type %s', async (_name, type) => {
    expect(await readJson(post('{"a": 1}', { 'content-type': type }))).toEqual({ ok: true, value: { a: 1 } });
  });

  test.each([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text, which forms on other sites can send', { 'content-type': 'text/plain' }],
    ['a multipart form', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['another JSON type', { 'content-type': 'application/json5' }],
    ['a compressed body', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
  ])('refuses %s', async (_name, headers) => {
    expect(await readJson(post('{}', headers))).toMatchObject({ ok: false, problem: { code: 'unsupported_type' } });
  });

  test('refuses a body without a content type', async () => {
    expect(await readJson(post(new TextEncoder().encode('{}'), {}))).toMatchObject({
      ok: false,
      problem: { code: 'unsupported_type' },
    });
  });

  test.each([
    ['an empty body', '', 'The body is empty. It must be JSON.'],
    ['white space', ' \n', 'The body is empty. It must be JSON.'],
    ['a missing bracket', '{"name": "x"', 'The body is not JSON: unexpected the end of the text at line 1, column 13.'],
    ['an extra comma', '{\n  "name": "x",\n}', 'The body is not JSON: unexpected "}" at line 3, column 1.'],
  ])('reports the position in %s', async (_name, body, message) => {
    expect(await readJson(post(body))).toEqual({ ok: false, problem: { code: 'invalid', message, field: null } });
  });

  test('ignores a byte order mark and replaces bytes that are not UTF-8', async () => {
    expect(await readJson(post('\uFEFF{"a": 1}'))).toEqual({ ok: true, value: { a: 1 } });
    expect(await readJson(post(Buffer.from([0x22, 0xff, 0x22])))).toEqual({ ok: true, value: '\uFFFD' });
  });

  test('refuses a body by its Content-Length', async () => {
    expect(
      await readJson(post('{}', { 'content-type': 'application/json', 'content-length': '8000001' })),
    ).toMatchObject({ ok: false, problem: { code: 'too_large' } });
  });
});

describe('readText', () => {
  test('drains a bounded part of an oversized body so that the sender receives the response', async () => {
    const { body, read } = endless();
    const announced = post(body, { 'content-length': '99000000' });
    expect(await readText(announced, 50_000)).toMatchObject({ ok: false, problem: { code: 'too_large' } });
    expect(read()).toBeGreaterThan(60_000);
    expect(read()).toBeLessThan(50_000 + 16_100_000);
  });

  test('drains a bounded part past the limit if no length is announced', async () => {
    const { body, read } = endless();
    expect(await readText(post(body), 50_000)).toMatchObject({ ok: false, problem: { code: 'too_large' } });
    expect(read()).toBeGreaterThan(60_000);
    expect(read()).toBeLessThan(50_000 + 16_100_000);
  });

  test('accepts a body of exactly the limit', async () => {
    expect(await readText(post('x'.repeat(100)), 100)).toEqual({ ok: true, value: 'x'.repeat(100) });
    expect(await readText(post('x'.repeat(101)), 100)).toMatchObject({ ok: false });
  });
});

describe('receiveBody', () => {
  const rules = { actor: { id: 'sender' }, limitBytes: 100 };

  async function lengthOf(bytes: AsyncIterable<Uint8Array>) {
    let length = 0;
    for await (const piece of bytes) length += piece.byteLength;
    return succeed(length);
  }

  test('passes the body on once it is complete', async () => {
    let isSent = false;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(new Uint8Array(50));
        if (isSent) controller.close();
        isSent = true;
      },
    });
    const received = await receiveBody(post(body), rules, (bytes) => {
      expect(isSent).toBe(true);
      return lengthOf(bytes);
    });
    expect(received).toEqual({ ok: true, value: 100 });
  });

  test('passes on large bodies and small chunks unchanged', async () => {
    const sent = Buffer.from(Array.from({ length: 700_001 }, (_, at) => at % 251));
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let from = 0; from < sent.length; from += 999) controller.enqueue(sent.subarray(from, from + 999));
        controller.close();
      },
    });
    const received = await receiveBody(post(body), { ...rules, limitBytes: 1_000_000 }, async (bytes) =>
      succeed(await buffer(bytes)),
    );
    expect(received.ok && received.value.equals(sent)).toBe(true);
  });

  test('stops once the client has disconnected', async () => {
    const left = new AbortController();
    const received = await receiveBody(new Request(post('x'), { signal: left.signal }), rules, async (bytes) => {
      left.abort();
      return lengthOf(bytes);
    });
    expect(received).toMatchObject({
      ok: false,
      problem: { message: 'The connection closed before the response. Nothing was stored.' },
    });
  });

  test('returns no bytes for an empty body', async () => {
    expect(await receiveBody(post(null), rules, lengthOf)).toEqual({ ok: true, value: 0 });
  });

  test('discards a bounded part past the limit, so that the client receives the response', async () => {
    const { body, read } = endless();
    const refused = await receiveBody(post(body), rules, () => Promise.reject(new Error('was handed on')));
    expect(refused).toMatchObject({ ok: false, problem: { code: 'too_large' } });
    expect(read()).toBeGreaterThan(16_000_000);
    expect(read()).toBeLessThan(16_200_000);
  });

  test.each([
    ['announced as too large', { 'content-length': '101' }, 'too_large'],
    ['compressed', { 'content-encoding': 'gzip' }, 'unsupported_type'],
  ])('does not pass on a body that is %s', async (_name, headers, code) => {
    const refused = await receiveBody(post('x', headers), rules, () => Promise.reject(new Error('was handed on')));
    expect(refused).toMatchObject({ ok: false, problem: { code } });
  });
});
