/** Request header in which proxy.ts passes the requested path to pages. A value sent by the client is overwritten. */
export const PATH_HEADER = 'x-hone-path';

const MAX_PATH_LENGTH = 2000;

/** Returns the URL of the sign-in page that redirects to `path` afterwards. */
export function signInPath(path: string | null): string {
  const to = toSafePath(path);
  return to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`;
}

/** True if a path is that of a join link. */
export function isJoinPath(path: string | null): boolean {
  return path !== null && /^\/join(?:\/|$)/.test(path);
}

/**
 * Returns a path of this app that is safe for redirects. Returns `/` if a browser could read it as another site (`//x`, `/\x`, a scheme,
 * control characters), if it is too long, and for the sign-in and join pages.
 */
export function toSafePath(path: string | null | undefined): string {
  if (typeof path !== 'string' || path.length > MAX_PATH_LENGTH || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) return '/';
  const url = URL.parse(path, 'http://own.invalid');
  if (url === null || url.origin !== 'http://own.invalid') return '/';
  if (/^\/(?:sign-in|join|api)(?:\/|$)/.test(url.pathname) || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search;
}
