import { parseSetCookieHeader } from 'better-auth/cookies';
import { cookies, headers } from 'next/headers';
import { getAppDatabase } from '#lib/context/app-database.ts';
import type { SignInContext, SignInSource } from './sign-in-by-password.ts';
import { getSignInLibrary } from './sign-in-library.ts';

/**
 * Returns the sign-in dependencies from this process and the current request. `entry`: the entry point. `address`: as returned by
 * `admitAnyone`.
 */
export async function signInContext(
  entry: string,
  address: string,
): Promise<{ context: SignInContext; source: SignInSource }> {
  const sent = await headers();
  return {
    context: { database: getAppDatabase(), library: getSignInLibrary() },
    source: {
      ...{ address, entry, now: new Date() },
      userAgent: sent.get('user-agent') ?? '',
      cookies: sent.get('cookie') ?? '',
    },
  };
}

/** Maximum cookie lifetime accepted by browsers. The session ends by the server's clock, see HONE_SESSION_DAYS. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60;

/** Sets the cookies from the sign-in library's `Set-Cookie` headers in the response of an action. Deletes a cookie with the former name. */
export async function saveCookies(setCookies: readonly string[]): Promise<void> {
  const store = await cookies();
  const { formerName } = getSignInLibrary().cookie;
  if (formerName !== null && store.has(formerName))
    store.set(formerName, '', { path: '/', httpOnly: true, sameSite: 'lax', secure: true, maxAge: 0 });
  for (const header of setCookies) {
    for (const [name, { value, ...options }] of parseSetCookieHeader(header)) {
      const maxAge = options['max-age'] === 0 ? 0 : COOKIE_SECONDS;
      const secure = options.secure ?? false;
      store.set(name, decodeURIComponent(value), { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge });
    }
  }
}
