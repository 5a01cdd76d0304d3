import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { enterByStartToken, type StartGate } from '#lib/auth/start-token.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { UPLOAD_LIMITS } from '#lib/http/uploads/read-at-pace.ts';
import { getLog } from '#lib/log/log.ts';
import { withRequestFacts } from '#lib/log/request-facts.ts';
import { commandLine } from '#lib/system/installation.mjs';
import { drainRequests } from './drain-requests.ts';
import { applyStatus, markRequest, nameForNext, observeRequest, ownAddress } from './page-request.ts';
import { passUnknownMethod } from './pass-unknown-method.ts';
import { refuseFlood } from './refuse-flood.ts';
import { refuseMalformedRequest } from './refuse-malformed-request.ts';
import { requireStartToken } from './require-start-token.ts';
import { findStaticCopies, preferStaticCopy } from './static-copies.ts';

/** The web server: it has its port from the first moment and says "starting" until the pages are there. */
export type PageServer = {
  /**
   * Loads Next; from then on its pages answer. `dev`: with reloading, for work on Hone itself. `gate`: the start token that browsers
   * need; null where they need none.
   */
  openPages(options: { project: string; dev: boolean; gate: StartGate | null }): Promise<void>;
  /** From now on `GET /ready` answers 200. */
  setReady(): void;
  /** Lets other processes take over: see `Drain`. */
  drain(how: Drain): Promise<void>;
  /** Cuts what is still open. */
  close(): Promise<void>;
};

/**
 * How requests are let go. First `/ready` answers 503 for `delayMs` while all goes on, so that a proxy sends no more of them here; then no
 * connection is taken any more, `endStreams` ends the answers that would never end, and what is under way ends within `limitMs`.
 */
export type Drain = { delayMs: number; limitMs: number; endStreams(): Promise<void> };

type Pages = {
  copies: ReadonlySet<string>;
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  close(): Promise<void>;
};

/** Longer than a route waits for a body, so that its answer comes first and says what to do. */
const REQUEST_TIMEOUT_MS = UPLOAD_LIMITS.totalMs + 60_000;

/**
 * How long a connection stays open between two requests. Longer than proxies keep theirs (60 s is usual, Caddy's 2 min the longest): else
 * it is closed at times just when a request comes in by it.
 */
const KEEP_ALIVE_MS = 130_000;
/** How often streams are looked for that were begun by requests under way. */
const STREAMS_MS = 500;

/** Listens on `host:port`; refuses with who may be in the way when the port is taken. */
export async function servePages(host: string, port: number): Promise<Result<PageServer>> {
  let pages: Pages | null = null;
  let startGate: StartGate | null = null;
  let state: ServerState = 'starting';
  const timeouts = { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS };
  const server = createServer(timeouts, (request, response) => {
    if (refuseMalformedRequest(request, response) || answerProbe(request, response, state)) return;
    if (pages === null) return sayStarting(response);
    markRequest(request);
    const facts = observeRequest(request, response);
    if (refuseFlood(request, response)) return;
    if (requireStartToken(request, response, startGate)) return;
    passUnknownMethod(request);
    applyStatus(response, facts);
    const { answer, copies } = pages;
    preferStaticCopy(request, response, copies);
    withRequestFacts(facts, () => {
      answer(request, response).catch((error: unknown) => sayBroken(response, error));
    });
  });
  server.on('upgrade', (request, socket, head) => {
    const isAdmitted = startGate === null || enterByStartToken(request, startGate).kind === 'admitted';
    if (pages === null || !isAdmitted) socket.destroy();
    else pages.upgrade(request, socket, head).catch(() => socket.destroy());
  });
  const requests = drainRequests(server);
  const problem = await listen(server, host, port);
  if (problem !== null) return fail('conflict', problem);
  return succeed({
    openPages: async ({ project, dev, gate }) => {
      startGate = gate;
      pages = await loadNext({ project, dev, host, port });
    },
    setReady: () => {
      state = 'ready';
    },
    drain: async ({ delayMs, limitMs, endStreams }) => {
      const wasReady = state === 'ready';
      state = 'stopping';
      requests.begin();
      if (wasReady && delayMs > 0) await sleep(delayMs);
      await requests.stopAccepting();
      // A request under way may begin one more.
      const timer = setInterval(() => void endStreams(), STREAMS_MS);
      await endStreams();
      const left = await requests.rest(limitMs);
      clearInterval(timer);
      if (left > 0) getLog().warn(`${left} requests were still in progress`);
    },
    close: async () => {
      server.closeAllConnections();
      await Promise.race([pages?.close(), sleep(300, undefined, { ref: false })]);
    },
  });
}

function listen(server: Server, host: string, port: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const code = 'code' in error ? error.code : null;
      if (code === 'EADDRINUSE') {
        resolve(
          `Port ${port} on ${host} is taken by another program (or another Hone). Stop that one, or choose another port: PORT=${port === 65_535 ? 3000 : port + 1} ${commandLine()}`,
        );
      } else if (code === 'EACCES') {
        resolve(`Port ${port} needs rights that you do not have. Choose one from 1024 on: PORT=3000 ${commandLine()}`);
      } else if (code === 'EADDRNOTAVAIL') {
        resolve(`This machine has no address ${host}. Unset HONE_HOST for 127.0.0.1.`);
      } else reject(error);
    });
    server.listen({ host, port, exclusive: true }, () => resolve(null));
  });
}

async function loadNext(options: { project: string; dev: boolean; host: string; port: number }): Promise<Pages> {
  // Where Next sends its requests to itself; its own guess is wrong behind a proxy that speaks TLS.
  process.env.__NEXT_PRIVATE_ORIGIN = ownAddress(options.host, options.port);
  if (!options.dev) process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = builtConfig(options.project);
  const { default: next } = await import('next');
  const app = next({ dev: options.dev, dir: options.project, hostname: nameForNext(options.host), port: options.port });
  await app.prepare();
  const answer = app.getRequestHandler();
  const upgrade = app.getUpgradeHandler();
  const copies = options.dev ? new Set<string>() : findStaticCopies(options.project);
  return { copies, answer: (request, response) => answer(request, response), upgrade, close: () => app.close() };
}

const builtSchema = z.object({ config: z.looseObject({}) });

/** Next's settings as the build worked them out: to work them out again takes longer, and packages that only a build needs. */
function builtConfig(project: string): string {
  const file = path.join(project, '.next/required-server-files.json');
  return JSON.stringify(builtSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).config);
}

type ServerState = 'starting' | 'ready' | 'stopping';

/**
 * What proxies and orchestrators ask, by whatever address: `/health` whether this process lives, `/ready` whether requests may be sent to
 * it. It tells nothing else; what is wrong is told by `/api/v1/health`. False where something else is asked for.
 */
function answerProbe({ url, method }: IncomingMessage, response: ServerResponse, state: ServerState): boolean {
  const isReadiness = url === '/ready';
  if ((!isReadiness && url !== '/health') || (method !== 'GET' && method !== 'HEAD')) return false;
  const status = isReadiness && state !== 'ready' ? 503 : 200;
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(`${isReadiness ? state : 'ok'}\n`);
  return true;
}

function sayStarting(response: ServerResponse): void {
  response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '1', Refresh: '1' });
  response.end('Hone is starting. This page reloads automatically.\n');
}

function sayBroken(response: ServerResponse, error: unknown): void {
  getLog().error('a page broke', error);
  if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end('An internal error occurred. The terminal that runs Hone shows the details.\n');
}
