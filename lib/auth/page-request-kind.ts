import type { IncomingMessage } from 'node:http';

/** The response header by which proxy.ts tells the server which status to answer with; it does not leave the server. */
export const STATUS_HEADER = 'x-hone-status';

/** How a page was asked for: ahead of time, by a click inside Hone (Next fetches its content), or as a whole document. */
export const PAGE_REQUEST_KINDS = ['prefetch', 'navigation', 'document'] as const;
export type PageRequestKind = (typeof PAGE_REQUEST_KINDS)[number];

/** The request header in which the server tells its pages how they were asked for. What came in under this name is overwritten. */
export const PAGE_REQUEST_HEADER = 'x-hone-page-request';

/**
 * By what a browser says of its own request, so it proves nothing. What is drawn ahead of time and then shown as it is (`prefetch;prerender`)
 * is a document: nothing else may be asked for when somebody opens it.
 */
export function pageRequestKind({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): PageRequestKind {
  if (method !== 'GET') return 'document';
  const isPrefetch =
    headers['next-router-prefetch'] !== undefined ||
    [headers.purpose, headers['sec-purpose']].some((purpose) => String(purpose).trim().toLowerCase() === 'prefetch');
  if (isPrefetch) return 'prefetch';
  return headers.rsc === undefined ? 'document' : 'navigation';
}
