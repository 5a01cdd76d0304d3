import type { IncomingMessage, ServerResponse } from 'node:http';
import { currentDoors } from '#lib/team/current-doors.ts';
import { DATA_POLICY, securityHeaders } from '#lib/team/security-headers.ts';

/**
 * Gives every answer its security headers, those too that Next gives by itself; pages and routes set their own over them. Refuses what no
 * browser sends and what two servers may read in two ways: another address than a path, two hosts, a method that gives back what was
 * sent. True where it was refused, and so answered.
 */
export function refuseOddRequest(request: IncomingMessage, response: ServerResponse): boolean {
  for (const [name, value] of Object.entries(securityHeaders(currentDoors()))) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', DATA_POLICY);
  const { url = '', method = '', rawHeaders } = request;
  const hosts = rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'host');
  if (url.startsWith('/') && hosts.length === 1 && method !== 'TRACE') return false;
  response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
  response.end('This is no request that Hone answers.\n');
  return true;
}
