import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ADDRESS_HEADER, clientAddress, currentProxies, type Proxies } from '#lib/auth/client-address.ts';
import { PAGE_REQUEST_HEADER, pageRequestKind, STATUS_HEADER } from '#lib/auth/page-request-kind.ts';
import { PAGES } from '#lib/auth/pages.ts';
import { PATH_HEADER } from '#lib/auth/sign-in/sign-in-path.ts';
import { checkStartToken, type StartTokenConfig } from '#lib/auth/start-token.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { OUTAGE_RETRY_SECONDS } from '#lib/database/quiet-outages.ts';
import { UPLOAD_LIMITS } from '#lib/http/uploads/read-at-pace.ts';
import { createRouter } from '#lib/input/find-route.ts';
import { getLog } from '#lib/log/log.ts';
import { type RequestFacts, withRequestFacts } from '#lib/log/request-facts.ts';
import { instruments } from '#lib/monitoring/instruments.ts';
import { commandLine } from '#lib/system/installation.mjs';
import { drainRequests } from './drain-requests.ts';
import { enforceRateLimit, passUnknownMethod, refuseMalformedRequest, requireStartToken } from './guard-requests.ts';
import { findStaticCopies, preferStaticCopy } from './static-copies.ts';

/** The web server. It listens immediately and answers "starting" until the pages are loaded. */
type PageServer = {
  /**
   * Loads Next, after which the pages in the folder `built` answer requests. `dev`: with hot reload, for work on Hone. `gate`: the start
   * token that browsers need, or null if they need none.
   */
  openPages(options: { project: string; built: string; dev: boolean; gate: StartTokenConfig | null }): Promise<void>;
  /** Makes `GET /ready` answer 200 from now on, except while `isAway` returns true for the database. */
  setReady(isAway: () => boolean): void;
  /** Drains requests, so that other processes can take over. See `Drain`. */
  drain(how: Drain): Promise<void>;
  /** Closes all open connections. */
  close(): Promise<void>;
};

/**
 * Limits for draining. First `/ready` answers 503 for `delayMs` while requests are still served, so that a proxy sends no more of them.
 * Then the server accepts no connections, `endStreams` ends streaming responses, and requests in progress get `limitMs` to finish.
 */
type Drain = { delayMs: number; limitMs: number; endStreams(): Promise<void> };

type Pages = {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  close(): Promise<void>;
};

/** Longer than a route waits for a body, so that the route can answer first with an error that helps. */
const REQUEST_TIMEOUT_MS = UPLOAD_LIMITS.totalMs + 60_000;

/**
 * Time a connection stays open between two requests. Must be longer than the keep-alive of proxies (usually 60 s, at most 2 min in Caddy).
 * Otherwise the server sometimes closes a connection just when a request arrives on it.
 */
const KEEP_ALIVE_MS = 130_000;
/** Interval at which streams are ended that requests in progress have opened during the drain, in milliseconds. */
const STREAMS_MS = 500;

/** Listens on `host:port`. If the port is taken, fails with a hint about the process that may use it. */
export async function servePages(host: string, port: number): Promise<Result<PageServer>> {
  let pages: Pages | null = null;
  let copies: ReadonlySet<string> = new Set();
  let startGate: StartTokenConfig | null = null;
  let state: ServerState = 'starting';
  let isDatabaseAway = () => false;
  const shownState = () => (state === 'ready' && isDatabaseAway() ? 'database unreachable' : state);
  const timeouts = { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS };
  const server = createServer(timeouts, (request, response) => {
    if (refuseMalformedRequest(request, response) || answerProbe(request, response, shownState())) return;
    if (pages === null) return sendStarting(request, response);
    markRequest(request);
    const facts = observeRequest(request, response);
    if (enforceRateLimit(request, response)) return;
    if (requireStartToken(request, response, startGate)) return;
    if (isDatabaseAway() && Object.hasOwn(PAGES, pagePattern(pathOf(request)))) return sendOutage(response);
    passUnknownMethod(request);
    applyStatus(response, facts);
    const { answer } = pages;
    preferStaticCopy(request, response, copies);
    withRequestFacts(facts, () => {
      answer(request, response).catch((error: unknown) => sendStartFailure(response, error));
    });
  });
  server.on('upgrade', (request, socket, head) => {
    const isAdmitted = startGate === null || checkStartToken(request, startGate).kind === 'admitted';
    if (pages === null || !isAdmitted) socket.destroy();
    else pages.upgrade(request, socket, head).catch(() => socket.destroy());
  });
  const requests = drainRequests(server);
  const problem = await listen(server, host, port);
  if (problem !== null) return fail('conflict', problem);
  return succeed({
    openPages: async ({ project, built, dev, gate }) => {
      startGate = gate;
      // Next lists the files of the build when it starts, and answers 404 for copies that are written later.
      if (!dev) copies = findStaticCopies(built);
      pages = await loadNext({ project, built, dev, host, port });
    },
    setReady: (isAway) => {
      state = 'ready';
      isDatabaseAway = isAway;
    },
    drain: async ({ delayMs, limitMs, endStreams }) => {
      const wasReady = state === 'ready';
      state = 'stopping';
      requests.begin();
      if (wasReady && delayMs > 0) await sleep(delayMs);
      await requests.stopAccepting();
      // A request in progress may open another stream.
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

/** Loads the code of Next, which `openPages` needs. */
export async function preloadNext(): Promise<void> {
  await import('next');
  const load = createRequire(import.meta.url);
  for (const name of ['next/dist/server/lib/start-server', 'next/dist/server/next-server']) load(name);
}

async function loadNext(options: {
  project: string;
  built: string;
  dev: boolean;
  host: string;
  port: number;
}): Promise<Pages> {
  // Address for the requests that Next sends to itself. Next's own guess is wrong behind a TLS proxy.
  process.env.__NEXT_PRIVATE_ORIGIN = ownAddress(options.host, options.port);
  if (!options.dev) process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = builtConfig(options.built);
  const { default: next } = await import('next');
  const app = next({ dev: options.dev, dir: options.project, hostname: nameForNext(options.host), port: options.port });
  await app.prepare();
  const answer = app.getRequestHandler();
  const upgrade = app.getUpgradeHandler();
  return { answer: (request, response) => answer(request, response), upgrade, close: () => app.close() };
}

const builtSchema = z.object({ config: z.looseObject({}) });

/** Returns Next's configuration as resolved by the build. Resolving it again is slower and needs packages that only a build has. */
function builtConfig(built: string): string {
  const file = path.join(built, 'required-server-files.json');
  const { config } = builtSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return JSON.stringify({ ...config, distDir: path.basename(built) });
}

type ServerState = 'starting' | 'ready' | 'stopping';
type ShownState = ServerState | 'database unreachable';

/**
 * Answers probes of proxies and orchestrators for any host: `/health` shows that the process is alive, `/ready` that it accepts requests.
 * It reveals nothing else. `/api/v1/health` reports details. Returns false for any other request.
 */
function answerProbe({ url, method }: IncomingMessage, response: ServerResponse, state: ShownState): boolean {
  const isReadiness = url === '/ready';
  if ((!isReadiness && url !== '/health') || (method !== 'GET' && method !== 'HEAD')) return false;
  const status = isReadiness && state !== 'ready' ? 503 : 200;
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(`${isReadiness ? state : 'ok'}\n`);
  return true;
}

function sendStarting({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const isApi = /^\/api(\/|$)/.test(url);
  const type = isApi ? 'application/json' : 'text/plain; charset=utf-8';
  response.writeHead(503, { 'Content-Type': type, 'Retry-After': '1', ...(!isApi && { Refresh: '1' }) });
  const error = { code: 'unavailable', message: 'Hone is starting. Try again in a moment.' };
  response.end(isApi ? JSON.stringify({ error }) : 'Hone is starting. This page reloads automatically.\n');
}

/** Answers a page request while the database is unreachable. A client navigation of Next that gets this loads the whole page instead. */
function sendOutage(response: ServerResponse): void {
  const seconds = String(OUTAGE_RETRY_SECONDS);
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
  response.writeHead(503, { ...headers, 'Retry-After': seconds, Refresh: seconds });
  response.end(OUTAGE_PAGE);
}

const OUTAGE_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The database does not respond</title>
<h1>The database does not respond</h1>
<p>Runs keep their results and continue when it is back. The log of Hone shows the reason.</p>
<p>This page reloads automatically every ${OUTAGE_RETRY_SECONDS} seconds.</p>
</html>
`;

function sendStartFailure(response: ServerResponse, error: unknown): void {
  getLog().error('a page broke', error);
  if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end('An internal error occurred. The terminal that runs Hone shows the details.\n');
}

const ASKED_HOST_HEADER = 'x-hone-asked-host';
/** Random secret of this process. It proves that a request comes from the process itself. */
const SECRET = randomBytes(24).toString('base64url');

/**
 * Preserves the original host in requests that Next sends to itself: an action called from another page, and the page an action redirects
 * to. Next copies the headers of the original request but sets this server as the host. Changes `headers` and overwrites a forged value.
 * Returns true for such a request.
 */
export function preserveHost(headers: IncomingHttpHeaders): boolean {
  const [secret = '', host = ''] = String(headers[ASKED_HOST_HEADER] ?? '').split(' ', 2);
  const isFromItself = isOwn(secret);
  if (isFromItself) headers.host = host;
  else headers[ASKED_HOST_HEADER] = `${SECRET} ${headers.host ?? ''}`;
  return isFromItself;
}

function isOwn(secret: string): boolean {
  return (
    secret.length === SECRET.length && timingSafeEqual(Buffer.from(secret, 'latin1'), Buffer.from(SECRET, 'latin1'))
  );
}

/**
 * Writes the client address and the kind of page request into Hone's own headers, because Next removes its own before Hone's code can read
 * them. Overwrites forged values. Only a request of Next to its own server keeps the address of the original request.
 */
export function markRequest(request: IncomingMessage, trusted: Proxies = currentProxies()): void {
  const { headers, socket } = request;
  const isFromItself = preserveHost(headers);
  if (!isFromItself || headers[ADDRESS_HEADER] === undefined)
    headers[ADDRESS_HEADER] = clientAddress(socket.remoteAddress, headers['x-forwarded-for'], trusted);
  delete headers[PATH_HEADER];
  headers[PAGE_REQUEST_HEADER] = pageRequestKind(request);
}

/** Returns the URL `http://host:port` at which this machine reaches a server on `host`, which may be a wildcard address. */
function ownAddress(host: string, port: number): string {
  return `http://${hostInAddress(reachedAt(host))}:${port}`;
}

/** Returns `host` in the form used in URLs. */
export function hostInAddress(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function reachedAt(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' || host === '[::]' ? '::1' : host;
}

/**
 * Overrides the status of a response. For a rewrite, proxy.ts puts the status in a header, because Next does not keep it. Next answers 500
 * when a page or an action denies access, so `facts` provides the real status.
 */
export function applyStatus(response: ServerResponse, facts: Readonly<RequestFacts>): void {
  const writeHead = response.writeHead;
  Object.assign(response, {
    writeHead(status: number, ...rest: unknown[]) {
      const named = Number(response.getHeader(STATUS_HEADER));
      response.removeHeader(STATUS_HEADER);
      if (status === 500 && facts.retryAfterSeconds !== undefined)
        response.setHeader('Retry-After', String(facts.retryAfterSeconds));
      if (status === 500 && facts.refused === 503) response.setHeader('Refresh', String(OUTAGE_RETRY_SECONDS));
      return Reflect.apply(writeHead, response, [named > 0 ? named : statusOf(status, facts), ...rest]);
    },
  });
}

function statusOf(status: number, { refused }: Readonly<RequestFacts>): number {
  return status === 500 && refused !== null ? refused : status;
}

/**
 * Returns the hostname to pass to Next. In the URLs for proxy.ts, Next replaces every loopback address by `localhost`. With any other name,
 * it treats a rewrite by proxy.ts as one to a foreign server and requests the page over HTTP.
 */
export function nameForNext(host: string): string {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.')) ? 'localhost' : host;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

/** nginx's status for a client that disconnected before the response. */
const CLIENT_LEFT = 499;

/**
 * Records a request in metrics and the log when it ends: method, path pattern, status, milliseconds and actor. Never records the full URL,
 * headers or body. Returns the object that collects further facts about it.
 */
function observeRequest(request: IncomingMessage, response: ServerResponse): RequestFacts {
  const facts: RequestFacts = { actorId: null, refused: null, route: null };
  const beganMs = performance.now();
  const method = METHODS.includes(request.method ?? '') ? (request.method ?? '') : 'other';
  const urlPath = pathOf(request);
  const isStream = /^\/api\/v1\/runs\/[^/]+\/events$/.test(urlPath);
  const { httpSeconds, openStreams } = instruments();
  if (isStream) openStreams.inc();
  response.once('close', () => {
    const ms = performance.now() - beganMs;
    const path = facts.route ?? pagePattern(urlPath);
    const status = response.headersSent ? response.statusCode : CLIENT_LEFT;
    if (isStream) openStreams.dec();
    else httpSeconds.observe({ method, route: path, status: `${Math.floor(status / 100)}xx` }, ms / 1_000);
    if (path !== '/_next')
      getLog().request({ method, path, status, ms: Math.round(ms * 10) / 10, actor: facts.actorId });
  });
  return facts;
}

const find = createRouter([...Object.keys(PAGES), '/metrics', '/sdk/{file}', '/api/{rest}'].map((path) => ({ path })));

/**
 * Returns the pattern of the page for a path (`/runs/{id}`). It contains no IDs, and there are no more patterns than pages. Unmatched paths
 * are `/api/{rest}` below /api, `/_next` for page assets, and otherwise `other`.
 */
export function pagePattern(path: string): string {
  if (path === '/_next' || path.startsWith('/_next/')) return '/_next';
  return find(path)?.path ?? 'other';
}
