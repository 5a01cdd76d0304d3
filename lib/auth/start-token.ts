import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Written by the server for pages and routes: the request came with the start token's cookie. */
export const ADMITTED_HEADER = 'x-hone-admitted';

/** What people and programs without the token are told. */
export const LINK_NEEDED = 'Open Hone with the link that it printed when it started, or send an API token.';

/** What the server lets browsers in by. `isSecure`: people come by https alone. */
export type StartGate = { token: string; port: number; isSecure: boolean };

/** What becomes of a request; `open`: it goes on, but as nobody's, to routes that look at its API token or tell strangers little. */
type Entrance = { kind: 'admitted' | 'open' | 'refused' } | { kind: 'entered'; location: string; cookie: string };

const HEALTH = '/api/v1/health';
/** Thirty days; then the link is opened again. */
const COOKIE_SECONDS = 30 * 86_400;

/** Judges a request by the token in its address, or by the cookie that the token's link has set. */
export function enterByStartToken(
  { method, url = '/', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  gate: StartGate,
): Entrance {
  const isAdmitted = cookiesOf(headers.cookie, cookieName(gate)).some((value) => isSame(value, cookieValue(gate)));
  const { path, query } = split(url);
  const given = query.get('token');
  if (given !== null && (method === 'GET' || method === 'HEAD') && isSame(given, gate.token)) {
    query.delete('token');
    return { kind: 'entered', location: query.size === 0 ? path : `${path}?${query}`, cookie: cookieOf(gate) };
  }
  if (isAdmitted) return { kind: 'admitted' };
  const isProgram = /^bearer\s/i.test(headers.authorization ?? '') && /^\/(api\/|metrics$)/.test(path);
  // The packages of the SDKs, which package managers fetch.
  const isPublic = path === HEALTH || /^\/sdk\/hone-sdk\.[a-z.]+$/.test(path);
  if (isPublic || isProgram) return { kind: 'open' };
  return { kind: 'refused' };
}

/** Where the address leads within this server: two slashes at its beginning would name another one. */
function split(url: string): { path: string; query: URLSearchParams } {
  const [path = '/', ...rest] = url.split('?');
  return { path: path.replace(/^[/\\]+/, '/'), query: new URLSearchParams(rest.join('?')) };
}

/** With the port, since cookies of one host reach all its ports, and another Hone may be at one of them. */
function cookieName({ port, isSecure }: StartGate): string {
  return `${isSecure ? '__Host-' : ''}hone_start_${port}`;
}

/** Not the token itself: who gets hold of a cookie can't pass the link on. */
function cookieValue({ token }: StartGate): string {
  return createHmac('sha256', token).update('start cookie').digest('base64url');
}

function cookieOf(gate: StartGate): string {
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

/** In constant time, whatever the length. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
