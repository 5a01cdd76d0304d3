import type { IncomingMessage, ServerResponse } from 'node:http';
import { getLog } from '#lib/log/log.ts';
import type { RequestFacts } from '#lib/log/request-facts.ts';
import { instruments } from '#lib/monitoring/instruments.ts';
import { pagePattern } from './page-pattern.ts';

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
