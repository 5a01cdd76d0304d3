import { PAGES } from '#lib/auth/pages.ts';
import { createRouter } from '#lib/http/find-route.ts';

const find = createRouter([...Object.keys(PAGES), '/metrics', '/sdk/{file}', '/api/{rest}'].map((path) => ({ path })));

/**
 * The pattern of the page that a path belongs to (`/runs/{id}`): no ids, and not more patterns than there are pages. Below /api it is
 * `/api/{rest}`, for a request that no route was found for. What belongs to none is `/_next` for the parts of pages, else `other`.
 */
export function pagePattern(path: string): string {
  if (path === '/_next' || path.startsWith('/_next/')) return '/_next';
  return find(path)?.path ?? 'other';
}
