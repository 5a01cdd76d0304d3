import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { ADDRESS_HEADER, clientAddress, currentProxies, type Proxies } from '#lib/auth/client-address.ts';
import { PAGE_REQUEST_HEADER, pageRequestKind, STATUS_HEADER } from '#lib/auth/page-request-kind.ts';
import { PATH_HEADER } from '#lib/auth/sign-in/sign-in-path.ts';
import { getLog } from '#lib/log/log.ts';
import type { RequestFacts } from '#lib/log/request-facts.ts';
import { instruments } from '#lib/monitoring/instruments.ts';
import { pagePattern } from './page-pattern.ts';

const ASKED_HOST_HEADER = 'x-hone-asked-host';
/** Of this process: who knows it is this process. */
const SECRET = randomBytes(24).toString('base64url');

/**
 * Keeps the host that was asked for through the requests that Next sends to itself: an action that comes from another page than its own
 * (as from one that was just left) and the page an action leads to, both with the headers of the request behind them but the address of
 * this server as their host. Changes `headers`; what a stranger claims under this name is overwritten. Answers whether it is such a request.
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
 * Writes where a request comes from, and how a page is asked for, into headers of our own: Next takes away its own
 * before ours can read them. What came in under our names is overwritten; only a request of Next to its own server keeps the address
 * of the one behind it.
 */
export function markRequest(request: IncomingMessage, trusted: Proxies = currentProxies()): void {
  const { headers, socket } = request;
  const isFromItself = preserveHost(headers);
  if (!isFromItself || headers[ADDRESS_HEADER] === undefined)
    headers[ADDRESS_HEADER] = clientAddress(socket.remoteAddress, headers['x-forwarded-for'], trusted);
  delete headers[PATH_HEADER];
  headers[PAGE_REQUEST_HEADER] = pageRequestKind(request);
}

/** `http://host:port` at which this machine reaches what listens on `host`, which may stand for all its addresses. */
export function ownAddress(host: string, port: number): string {
  return `http://${hostInAddress(reachedAt(host))}:${port}`;
}

/** `host` as it stands in an address. */
export function hostInAddress(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function reachedAt(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' || host === '[::]' ? '::1' : host;
}

/** Where proxy.ts shows another page than was asked for, it names the answer's status in a header, since Next keeps none of a rewrite. What a page or an action threw to turn somebody away Next answers with 500: `facts` know better. */
export function applyStatus(response: ServerResponse, facts: Readonly<RequestFacts>): void {
  const writeHead = response.writeHead;
  Object.assign(response, {
    writeHead(status: number, ...rest: unknown[]) {
      const named = Number(response.getHeader(STATUS_HEADER));
      response.removeHeader(STATUS_HEADER);
      if (status === 500 && facts.refused === 429 && facts.retryAfterSeconds !== undefined)
        response.setHeader('Retry-After', String(facts.retryAfterSeconds));
      return Reflect.apply(writeHead, response, [named > 0 ? named : statusOf(status, facts), ...rest]);
    },
  });
}

function statusOf(status: number, { refused }: Readonly<RequestFacts>): number {
  return status === 500 && refused !== null ? refused : status;
}

/**
 * The host that Next is told it answers at. It calls every loopback address `localhost` in the addresses that proxy.ts is given: under
 * another name it takes the page that proxy.ts shows in the place of another for one of a foreign server, and asks itself for it over HTTP.
 */
export function nameForNext(host: string): string {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.')) ? 'localhost' : host;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** nginx's word for a client that left before it was answered. */
const CLIENT_LEFT = 499;

/**
 * Counts a request and its time when it is over, and tells the log: method, way in, status, milliseconds and who asked. Never its
 * address in full, headers or body. Answers where the rest of what is known of it is noted.
 */
export function observeRequest(request: IncomingMessage, response: ServerResponse): RequestFacts {
  const facts: RequestFacts = { actorId: null, refused: null, route: null };
  const beganMs = performance.now();
  const method = METHODS.includes(request.method ?? '') ? (request.method ?? '') : 'other';
  const asked = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const isStream = /^\/api\/v1\/runs\/[^/]+\/events$/.test(asked);
  const { httpSeconds, openStreams } = instruments();
  if (isStream) openStreams.inc();
  response.once('close', () => {
    const ms = performance.now() - beganMs;
    const path = facts.route ?? pagePattern(asked);
    const status = response.headersSent ? response.statusCode : CLIENT_LEFT;
    if (isStream) openStreams.dec();
    else httpSeconds.observe({ method, route: path, status: `${Math.floor(status / 100)}xx` }, ms / 1_000);
    if (path !== '/_next')
      getLog().request({ method, path, status, ms: Math.round(ms * 10) / 10, actor: facts.actorId });
  });
  return facts;
}
