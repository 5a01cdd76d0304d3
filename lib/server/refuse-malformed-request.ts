import type { IncomingMessage, ServerResponse } from 'node:http';
import { currentHostRules } from '#lib/auth/host-rules.ts';
import { DATA_POLICY, securityHeaders } from '#lib/auth/security-headers.ts';

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
