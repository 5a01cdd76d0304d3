import type { HostRules } from './host-rules.ts';

/** What a browser says about where a request comes from: the headers as they stand, null where missing. */
export type RequestSource = { host: string | null; origin: string | null; secFetchSite: string | null };

/**
 * Whether a request that writes comes from this app's own pages, or from a program (which sends neither header).
 * `Origin: null`, another site, and another port or name of this same machine are refused.
 */
export function allowedOrigin(source: RequestSource, doors: HostRules): boolean {
  if (source.secFetchSite !== null && source.secFetchSite !== 'same-origin') return false;
  if (source.origin === null) return true;
  if (!doors.origins.includes(source.origin)) return false;
  return source.origin === doors.appOrigin || URL.parse(source.origin)?.host === source.host?.toLowerCase();
}
