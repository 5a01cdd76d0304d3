import type { IncomingMessage } from 'node:http';

/** Response header in which proxy.ts passes the response status to the server. It is not sent to the client. */
export const STATUS_HEADER = 'x-hone-status';

/** Kind of a page request: a prefetch, a client navigation (Next fetches the content), or a full document. */
export const PAGE_REQUEST_KINDS = ['prefetch', 'navigation', 'document'] as const;
export type PageRequestKind = (typeof PAGE_REQUEST_KINDS)[number];

/** Request header in which the server passes the request kind to pages. A value sent by the client is overwritten. */
export const PAGE_REQUEST_HEADER = 'x-hone-page-request';

/**
 * Returns the kind from the browser's headers, which prove nothing. A prerendered page (`prefetch;prerender`) counts as a document, because
 * opening it sends no further request.
 */
export function pageRequestKind({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): PageRequestKind {
  if (method !== 'GET') return 'document';
  const isPrefetch =
    headers['next-router-prefetch'] !== undefined ||
    [headers.purpose, headers['sec-purpose']].some((purpose) => String(purpose).trim().toLowerCase() === 'prefetch');
  if (isPrefetch) return 'prefetch';
  return headers.rsc === undefined ? 'document' : 'navigation';
}
