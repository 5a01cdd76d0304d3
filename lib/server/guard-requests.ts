import type { IncomingMessage, ServerResponse } from 'node:http';
import { ADDRESS_HEADER } from '#lib/auth/client-address.ts';
import { currentHostRules } from '#lib/auth/host-rules.ts';
import { currentRateLimits, tooManyRequests } from '#lib/auth/rate-limits.ts';
import { DATA_POLICY, securityHeaders } from '#lib/auth/security-headers.ts';
import { ADMITTED_HEADER, checkStartToken, LINK_NEEDED, type StartTokenConfig } from '#lib/auth/start-token.ts';
import { UNKNOWN_METHOD_HEADER } from '#lib/input/find-route.ts';

/**
 * Adds the security headers to every response, including those of Next. Pages and routes may override them. Rejects requests that no
 * browser sends or that two servers may parse differently: a URL that is not a path, two hosts, or a method that echoes the request. Also
 * rejects a path with an invalid `%` escape, which Next would report as a server error. Returns true if it rejected and answered the
 * request, below `/api` in the API's error format.
 */
export function refuseMalformedRequest(request: IncomingMessage, response: ServerResponse): boolean {
  for (const [name, value] of Object.entries(securityHeaders(currentHostRules()))) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', DATA_POLICY);
  const { url = '', method = '', rawHeaders } = request;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  const isReadable = isDecodable(url.split('?', 1)[0] ?? '');
  if (url.startsWith('/') && hosts.length === 1 && method !== 'TRACE' && isReadable) return false;
  if (!isReadable && url.startsWith('/api/')) {
    const message = 'The URL contains a % that does not encode a character. Write it as %25.';
    response.writeHead(400, { 'Content-Type': 'application/json', Connection: 'close' });
    response.end(JSON.stringify({ error: { code: 'invalid', message } }));
    return true;
  }
  response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
  response.end('Hone can’t handle this request.\n');
  return true;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Rejects a request from an address that sends far more than people and programs do, before a page or a route does any work. Page assets
 * (`/_next`) are not counted. Returns true if it rejected and answered the request, below `/api` in the API's error format. `request` must
 * be marked (`markRequest`).
 */
export function enforceRateLimit(
  request: IncomingMessage,
  response: ServerResponse,
  limits = currentRateLimits(),
): boolean {
  const { url = '', headers } = request;
  if (url.startsWith('/_next/')) return false;
  const seconds = limits.takeOfAddress(String(headers[ADDRESS_HEADER]));
  if (seconds === null) return false;
  const { code, message } = tooManyRequests(seconds).problem;
  const isApi = /^\/api(\/|$)/.test(url);
  response.writeHead(429, {
    'Content-Type': isApi ? 'application/json' : 'text/plain; charset=utf-8',
    'Retry-After': String(seconds),
    'Cache-Control': 'no-store',
    Connection: 'close',
  });
  response.end(isApi ? JSON.stringify({ error: { code, message } }) : `${message}\n`);
  return true;
}

/** Methods that Next forwards. It answers any other with 405, without a body and `Allow`. */
const KNOWN_TO_NEXT = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Lets the API reject a method that Next does not support, such as PROPFIND. Forwards the request as OPTIONS with the method in a header.
 * Changes `request`. A client that sends the header gets the same rejection.
 */
export function passUnknownMethod(request: IncomingMessage): void {
  const { url = '', method = '' } = request;
  const path = url.split('?', 1)[0] ?? '';
  if (KNOWN_TO_NEXT.includes(method) || !/^\/api(\/|$)/.test(path)) return;
  request.headers[UNKNOWN_METHOD_HEADER] = method;
  request.method = 'OPTIONS';
}

/**
 * With HONE_START_TOKEN, admits only clients that opened its link. Returns true if it answered the request. Runs before pages, actions,
 * routes, streams and files. `gate` is null if no token is required.
 */
export function requireStartToken(
  request: IncomingMessage,
  response: ServerResponse,
  gate: StartTokenConfig | null,
): boolean {
  delete request.headers[ADMITTED_HEADER];
  if (gate === null) return false;
  const entrance = checkStartToken(request, gate);
  switch (entrance.kind) {
    case 'admitted':
      request.headers[ADMITTED_HEADER] = '1';
      return false;
    case 'open':
      return false;
    case 'entered':
      response.writeHead(303, {
        Location: entrance.location,
        'Set-Cookie': entrance.cookie,
        'Cache-Control': 'no-store',
      });
      response.end();
      return true;
    case 'refused':
      refuse(request, response);
      return true;
  }
}

function refuse({ url = '/', headers }: IncomingMessage, response: ServerResponse): void {
  const wantsPage = !/^\/+api(\/|$)/.test(url) && headers.accept?.includes('text/html') === true;
  response.writeHead(401, {
    'Content-Type': wantsPage ? 'text/html; charset=utf-8' : 'application/json',
    'Cache-Control': 'no-store',
    // The rest of the body is not read.
    Connection: 'close',
  });
  response.end(wantsPage ? PAGE : JSON.stringify({ error: { code: 'unauthorized', message: LINK_NEEDED } }));
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Open Hone by its link</title>
<h1>Open Hone by its link</h1>
<p>This Hone is private to the person who started it. It does not know this browser yet.</p>
<ol>
<li>Go to the terminal where Hone runs.</li>
<li>Find the line that begins with “open this link”.</li>
<li>Open that link here. This browser is then let in for 30 days.</li>
</ol>
<p>No terminal? The link is this address with <code>/?token=</code> and the text of the file <code>start-token</code> in Hone’s data folder.</p>
<p>Programs use an API token, as before.</p>
</html>
`;
