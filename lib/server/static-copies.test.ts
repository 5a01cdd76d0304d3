import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findStaticCopies, preferStaticCopy, writeStaticCopies } from './static-copies.ts';

let project: string;
let server: Server;

beforeEach(async () => {
  project = mkdtempSync(path.join(tmpdir(), 'hone-copies-'));
  mkdirSync(path.join(project, '.next/static/chunks'), { recursive: true });
  writeFileSync(path.join(project, '.next/static/chunks/page.js'), 'say();'.repeat(1_000));
  await writeStaticCopies(path.join(project, '.next'));
  const copies = findStaticCopies(path.join(project, '.next'));
  server = createServer((request, response) => {
    preferStaticCopy(request, response, copies);
    response.writeHead(request.headers['x-refused'] === undefined ? 200 : 403);
    response.end(request.url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(project, { recursive: true, force: true });
});

/** Returns the URL passed on to Next and the content encoding of the response. */
function asked(url: string, headers: Record<string, string>) {
  const { port } = server.address() as AddressInfo;
  const { promise, resolve, reject } = Promise.withResolvers<{ url: string; encoding: string | undefined }>();
  get({ port, host: '127.0.0.1', path: url, headers, agent: false }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    response.on('end', () => resolve({ url: text, encoding: response.headers['content-encoding'] }));
  }).on('error', reject);
  return promise;
}

const FILE = '/_next/static/chunks/page.js';

test('a Brotli copy contains the file and is smaller', () => {
  const file = path.join(project, '.next/static/chunks/page.js');
  const copy = readFileSync(`${file}.br`);
  expect(brotliDecompressSync(copy).equals(readFileSync(file))).toBe(true);
  expect(copy.length).toBeLessThan(100);
});

test.each([
  [
    'serves Brotli to a browser that accepts it',
    FILE,
    { 'accept-encoding': 'gzip, deflate, br, zstd' },
    `${FILE}.br`,
    'br',
  ],
  ['serves Brotli with a query string', `${FILE}?dpl=1`, { 'accept-encoding': 'br;q=0.8' }, `${FILE}.br?dpl=1`, 'br'],
  ['serves the original to a browser that accepts only gzip', FILE, { 'accept-encoding': 'gzip' }, FILE, undefined],
  [
    'serves the original to a browser that refuses Brotli',
    FILE,
    { 'accept-encoding': 'gzip, br;q=0' },
    FILE,
    undefined,
  ],
  ['serves the original without an Accept-Encoding header', FILE, {}, FILE, undefined],
  [
    'serves the original of a file without a copy',
    '/_next/static/chunks/other.js',
    { 'accept-encoding': 'br' },
    '/_next/static/chunks/other.js',
    undefined,
  ],
  [
    'sets no encoding for a rejected request',
    FILE,
    { 'accept-encoding': 'br', 'x-refused': '1' },
    `${FILE}.br`,
    undefined,
  ],
])('%s', async (_, url, headers, left, encoding) => {
  expect(await asked(url, headers as Record<string, string>)).toEqual({ url: left, encoding });
});
