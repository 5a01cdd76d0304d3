import type { IncomingMessage, ServerResponse } from 'node:http';
import { currentDoors } from '#lib/team/current-doors.ts';
import { ENTRIES } from '#lib/team/entries.ts';
import { findRefusal } from '#lib/team/find-refusal.ts';
import { routePattern } from '#lib/team/route-pattern.ts';

/**
 * Answers a method that a path below `/api` does not know as all errors there are, with 405 and those that it knows: Next sends no body
 * and names none. True where it was refused, and so answered. Whom Hone does not answer to at all is left to be told so as ever.
 */
export function refuseWrongMethod(request: IncomingMessage, response: ServerResponse): boolean {
  const { url = '', method = '' } = request;
  const allowed = methodsOf(routePattern(decoded(url.split('?', 1)[0] ?? '')));
  if (allowed === null || allowed.includes(method) || !isWelcome(request)) return false;
  const message = `${allowed.join(', ')} can be asked for here, not ${method}. GET /api/v1/openapi.json names all routes.`;
  response.writeHead(405, {
    Allow: allowed.join(', '),
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    Connection: 'close',
  });
  response.end(JSON.stringify({ error: { code: 'method_not_allowed', message } }));
  return true;
}

/** Null where the pattern is none of a route's of the API. HEAD and OPTIONS are answered by Next. */
function methodsOf(pattern: string): string[] | null {
  if (!pattern.startsWith('/api/')) return null;
  const methods = ENTRIES.filter(({ kind, path }) => kind === 'route' && path === pattern).map(
    ({ exported }) => exported,
  );
  return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].toSorted();
}

/** By its parts, as Next reads it: `%2F` is no new one. */
function decoded(path: string): string {
  return path
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('/', '%2F'))
    .join('/');
}

function isWelcome({ headers: { host = '', origin, 'sec-fetch-site': site } }: IncomingMessage): boolean {
  const headers = new Headers({ host, ...(origin && { origin }), ...(site && { 'sec-fetch-site': String(site) }) });
  return findRefusal({ headers, writes: true }, currentDoors()) === null;
}
