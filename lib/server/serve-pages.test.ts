import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { servePages } from './serve-pages.ts';
import { valueOrFail } from './start-failure.ts';
import { writeStaticCopies } from './static-copies.ts';

/** Like Next, it lists the static files of the build when it starts, and does not find later ones. */
vi.mock('next', () => ({
  default: ({ dir }: { dir: string }) => {
    let files: Set<string>;
    return {
      prepare: async () => {
        files = new Set(globSync('**/*.*', { cwd: path.join(dir, 'built/static') }));
      },
      getRequestHandler: () => async (request: IncomingMessage, response: ServerResponse) => {
        response.writeHead(files.has((request.url ?? '').replace('/_next/static/', '')) ? 200 : 404);
        response.end();
      },
      getUpgradeHandler: () => async () => {},
      close: async () => {},
    };
  },
}));

let project: string;
let built: string;
let close: () => Promise<void>;

beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), 'hone-pages-'));
  built = path.join(project, 'built');
  mkdirSync(path.join(built, 'static'), { recursive: true });
  writeFileSync(path.join(built, 'static/page.js'), 'say();'.repeat(1_000));
  writeFileSync(path.join(built, 'required-server-files.json'), '{ "config": {} }');
});

afterEach(async () => {
  await close();
  vi.unstubAllEnvs();
  rmSync(project, { recursive: true, force: true });
});

/** Opens the pages of the build and returns the port. */
async function openServer(): Promise<number> {
  // `openPages` sets these variables.
  vi.stubEnv('__NEXT_PRIVATE_ORIGIN', '');
  vi.stubEnv('__NEXT_PRIVATE_STANDALONE_CONFIG', '');
  const port = await freePort();
  const server = valueOrFail(await servePages('127.0.0.1', port));
  close = server.close;
  await server.openPages({ project, built, dev: false, gate: null });
  return port;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function request(port: number): Promise<{ status: number | undefined; encoding: string | undefined }> {
  const headers = { 'accept-encoding': 'gzip, br' };
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/_next/static/page.js', headers, agent: false }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, encoding: response.headers['content-encoding'] });
    }).on('error', reject);
  });
}

test('answers requests to the API in its error format while Hone starts', async () => {
  const port = await freePort();
  close = valueOrFail(await servePages('127.0.0.1', port)).close;
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/health`);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { code: 'unavailable' } });
});

test('serves Brotli copies that were written before the start', async () => {
  await writeStaticCopies(built);
  const port = await openServer();
  expect(await request(port)).toEqual({ status: 200, encoding: 'br' });
});

test('serves the scripts of the pages while and after their copies are written', async () => {
  const port = await openServer();
  expect(await request(port)).toEqual({ status: 200, encoding: undefined });
  await writeStaticCopies(built);
  expect(await request(port)).toEqual({ status: 200, encoding: undefined });
});
