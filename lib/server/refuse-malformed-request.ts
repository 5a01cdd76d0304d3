import type { IncomingMessage, ServerResponse } from 'node:http';
import { currentHostRules } from '#lib/auth/host-rules.ts';
import { DATA_POLICY, securityHeaders } from '#lib/auth/security-headers.ts';

/**
 * Gives every answer its security headers, those too that Next gives by itself; pages and routes set their own over them. Refuses what no
 * browser sends and what two servers may read in two ways: another address than a path, two hosts, a method that gives back what was
 * sent, a path with a `%` that stands for no character (Next would call that a fault of its own). True where it was refused, and so
 * answered: below `/api` as all its errors.
 */
export function refuseMalformedRequest(request: IncomingMessage, response: ServerResponse): boolean {
  for (const [name, value] of Object.entries(securityHeaders(currentHostRules()))) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', DATA_POLICY);
  const { url = '', method = '', rawHeaders } = request;
  const hosts = rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'host');
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
