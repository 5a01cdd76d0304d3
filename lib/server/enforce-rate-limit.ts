import type { IncomingMessage, ServerResponse } from 'node:http';
import { ADDRESS_HEADER } from '#lib/auth/client-address.ts';
import { currentRateLimits, tooManyRequests } from '#lib/auth/rate-limits.ts';

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
