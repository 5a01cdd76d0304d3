import type { IncomingMessage } from 'node:http';

/** The request header in which the server tells its pages that nobody asked for them yet. What came in under this name is overwritten. */
export const PREFETCH_HEADER = 'x-hone-prefetch';

/**
 * Whether a browser fetches this only in case somebody will want it: by Next's links, or by the browser itself. What is drawn ahead of time
 * and then shown as it is (`prefetch;prerender`) is not: nothing else may be asked for when somebody opens it.
 */
export function isPrefetch({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  if (method !== 'GET') return false;
  return (
    headers['next-router-prefetch'] !== undefined ||
    [headers.purpose, headers['sec-purpose']].some((purpose) => String(purpose).trim().toLowerCase() === 'prefetch')
  );
}
