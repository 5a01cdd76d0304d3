/** The request header in which proxy.ts tells the pages which of them was asked for. What came in under this name is overwritten. */
export const PATH_HEADER = 'x-hone-path';

const LONGEST_PATH = 2000;

/** The address of the sign-in that leads back to `path` afterwards. */
export function signInPath(path: string | null): string {
  const to = ownPath(path);
  return to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`;
}

/** Whether a path is that of a link by which somebody comes in. */
export function isJoinPath(path: string | null): boolean {
  return path !== null && /^\/join(?:\/|$)/.test(path);
}

/**
 * A path of this app, as it is safe to be led to: `/` for all that a browser might read as another site (`//x`, `/\x`, a scheme, control
 * characters), for what is too long, and for the sign-in itself and links, which one is not led back to.
 */
export function ownPath(path: string | null | undefined): string {
  if (typeof path !== 'string' || path.length > LONGEST_PATH || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) return '/';
  const url = URL.parse(path, 'http://own.invalid');
  if (url === null || url.origin !== 'http://own.invalid') return '/';
  if (/^\/(?:sign-in|join|api)(?:\/|$)/.test(url.pathname) || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search;
}
