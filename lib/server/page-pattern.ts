import { PAGES } from '#lib/auth/pages.ts';
import { createRouter } from '#lib/http/find-route.ts';

const find = createRouter([...Object.keys(PAGES), '/metrics', '/sdk/{file}', '/api/{rest}'].map((path) => ({ path })));

/**
 * Returns the pattern of the page for a path (`/runs/{id}`). It contains no IDs, and there are no more patterns than pages. Unmatched paths
 * are `/api/{rest}` below /api, `/_next` for page assets, and otherwise `other`.
 */
export function pagePattern(path: string): string {
  if (path === '/_next' || path.startsWith('/_next/')) return '/_next';
  return find(path)?.path ?? 'other';
}
