import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** Marks of different people that one browser keeps. */
const MOST_MARKS = 5;
/** As long as browsers keep a cookie at most. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60;
const MARK = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/**
 * The cookie by which a browser is known in which somebody has signed in before. It lets nobody in: wrong passwords in such a browser
 * are only counted apart, so that those of strangers do not keep the person out. It stays when they sign out.
 */
export type KnownBrowsers = {
  cookieName: string;
  /** An id of this browser where `email` has signed in before; null where they have not, or the cookie is not one of ours. */
  find(cookieHeader: string, email: string): string | null;
  /** The `Set-Cookie` header that makes the browser known for `email`; others it is known for stay, up to four of them. */
  mark(cookieHeader: string, email: string): string;
};

/** `secret`, `appUrl`: of the team settings. */
export function openKnownBrowsers({ secret, appUrl }: { secret: string; appUrl: string }): KnownBrowsers {
  // What signs sessions must not sign these.
  const key = Buffer.from(hkdfSync('sha256', secret, 'hone', 'known browsers', 32));
  const isSecure = appUrl.startsWith('https:');
  const cookieName = `${isSecure ? '__Host-' : ''}hone.known_browser`;
  const sign = (email: string, id: string) => createHmac('sha256', key).update(`${id} ${email}`).digest('base64url');
  const marksIn = (cookieHeader: string) =>
    cookieHeader
      .split(';')
      .map((pair) => pair.trim())
      .find((pair) => pair.startsWith(`${cookieName}=`))
      ?.slice(`${cookieName}=`.length)
      .split('~', MOST_MARKS)
      .filter((mark) => MARK.test(mark)) ?? [];
  const idOf = (mark: string, email: string) => {
    const [, id = '', signature = ''] = MARK.exec(mark) ?? [];
    return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(email, id))) ? id : null;
  };
  const find: KnownBrowsers['find'] = (cookieHeader, email) =>
    marksIn(cookieHeader)
      .map((mark) => idOf(mark, email))
      .find((id) => id !== null) ?? null;
  return {
    cookieName,
    find,
    mark: (cookieHeader, email) => {
      const id = find(cookieHeader, email) ?? randomBytes(16).toString('base64url');
      const others = marksIn(cookieHeader).filter((mark) => idOf(mark, email) === null);
      const value = [`${id}.${sign(email, id)}`, ...others].slice(0, MOST_MARKS).join('~');
      return `${cookieName}=${value}; Max-Age=${COOKIE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
    },
  };
}
