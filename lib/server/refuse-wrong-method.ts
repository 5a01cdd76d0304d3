import type { IncomingMessage, ServerResponse } from 'node:http';
import { currentHostRules, findRefusal } from '#lib/auth/host-rules.ts';

/** Those that Next hands to the API, which refuses by itself what a path does not know. */
const HANDED_ON = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Answers a method that no path below `/api` knows, such as PROPFIND, as the API refuses all others: Next sends no body and names none.
 * True where it was refused, and so answered. Whom Hone does not answer to at all is left to be told so as ever.
 */
export function refuseWrongMethod(request: IncomingMessage, response: ServerResponse): boolean {
  const { url = '', method = '' } = request;
  const path = url.split('?', 1)[0] ?? '';
  if (HANDED_ON.includes(method) || !/^\/api(\/|$)/.test(path) || !isWelcome(request)) return false;
  void refuse(path, method, response);
  return true;
}

/** The routes are loaded when they are first needed: the server has no other use for them. */
async function refuse(path: string, method: string, response: ServerResponse): Promise<void> {
  const { findApiRoute, methodRefusal } = await import('#lib/api/serve-api.ts');
  const refusal = methodRefusal(findApiRoute(path), method);
  response.writeHead(refusal.status, {
    ...refusal.headers,
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
  });
  response.end(JSON.stringify(refusal.body));
}

function isWelcome({ headers: { host = '', origin, 'sec-fetch-site': site } }: IncomingMessage): boolean {
  const headers = new Headers({ host, ...(origin && { origin }), ...(site && { 'sec-fetch-site': String(site) }) });
  return findRefusal({ headers, writes: true }, currentHostRules()) === null;
}
