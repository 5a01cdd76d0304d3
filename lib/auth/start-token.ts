import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Header in which the server tells pages and routes that the request had the cookie of the start token. */
export const ADMITTED_HEADER = 'x-hone-admitted';

/** Message for people and programs without the token. */
export const LINK_NEEDED = 'Open Hone with the link that it printed when it started, or send an API token.';

/** Configuration of access by start token. `isSecure`: only https is used. */
export type StartTokenConfig = { token: string; port: number; isSecure: boolean };

/** Decision on a request. `open`: it continues as unauthenticated, to routes that check its API token or expose little. */
type StartTokenResult =
  | { kind: 'admitted' | 'open' | 'refused' }
  | { kind: 'entered'; location: string; cookie: string };

const HEALTH = '/api/v1/health';
/** Thirty days. After that, the link must be opened again. */
const COOKIE_SECONDS = 30 * 86_400;

/** Checks a request for the token in its URL, or for the cookie set by the token's link. */
export function checkStartToken(
  { method, url = '/', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  gate: StartTokenConfig,
): StartTokenResult {
  const isAdmitted = cookiesOf(headers.cookie, cookieName(gate)).some((value) => isSame(value, cookieValue(gate)));
  const { path, query } = split(url);
  const sent = query.get('token');
  if (sent !== null && (method === 'GET' || method === 'HEAD') && isSame(sent, gate.token)) {
    query.delete('token');
    return { kind: 'entered', location: query.size === 0 ? path : `${path}?${query}`, cookie: cookieOf(gate) };
  }
  if (isAdmitted) return { kind: 'admitted' };
  const isProgram = /^bearer\s/i.test(headers.authorization ?? '') && /^\/(api\/|metrics$)/.test(path);
  // The SDK packages are fetched by package managers.
  const isPublic = path === HEALTH || /^\/sdk\/hone-sdk\.[a-z.]+$/.test(path);
  if (isPublic || isProgram) return { kind: 'open' };
  return { kind: 'refused' };
}

/** Splits the URL into a path within this server and its query. Two leading slashes would name another host. */
function split(url: string): { path: string; query: URLSearchParams } {
  const [path = '/', ...rest] = url.split('?');
  return { path: path.replace(/^[/\\]+/, '/'), query: new URLSearchParams(rest.join('?')) };
}

/** Includes the port, because cookies of a host apply to all its ports, and another Hone may use one of them. */
function cookieName({ port, isSecure }: StartTokenConfig): string {
  return `${isSecure ? '__Host-' : ''}hone_start_${port}`;
}

/** Not the token itself, so that a stolen cookie does not reveal the link. */
function cookieValue({ token }: StartTokenConfig): string {
  return createHmac('sha256', token).update('start cookie').digest('base64url');
}

function cookieOf(gate: StartTokenConfig): string {
  const secure = gate.isSecure ? '; Secure' : '';
  return `${cookieName(gate)}=${cookieValue(gate)}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

function cookiesOf(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

/** Compares in constant time, for any length. */
function isSame(actual: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(actual), digest(expected));
}
