import { parseSetCookieHeader } from 'better-auth/cookies';
import { cookies, headers } from 'next/headers';
import { getAppDatabase } from '#lib/context/app-database.ts';
import type { SignInContext, SignInSource } from './sign-in-by-password.ts';
import { getSignInLibrary } from './sign-in-library.ts';

/** What a sign-in needs of this process and of the request at hand. `entry`: the way in; `address` as `admitAnyone` answers it. */
export async function signInContext(
  entry: string,
  address: string,
): Promise<{ door: SignInContext; source: SignInSource }> {
  const sent = await headers();
  return {
    door: { database: getAppDatabase(), library: getSignInLibrary() },
    source: {
      ...{ address, entry, now: new Date() },
      userAgent: sent.get('user-agent') ?? '',
      cookies: sent.get('cookie') ?? '',
    },
  };
}

/** As long as browsers keep one at most. The session itself ends by the server's clock, see HONE_SESSION_DAYS. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60;

/** Has the answer of an action set the sign-in library's cookies, as they stand in its `Set-Cookie` headers; one under the former name goes. */
export async function saveCookies(setCookies: readonly string[]): Promise<void> {
  const store = await cookies();
  const { formerName } = getSignInLibrary().cookie;
  if (formerName !== null && store.has(formerName))
    store.set(formerName, '', { path: '/', httpOnly: true, sameSite: 'lax', secure: true, maxAge: 0 });
  for (const header of setCookies) {
    for (const [name, { value, ...given }] of parseSetCookieHeader(header)) {
      const maxAge = given['max-age'] === 0 ? 0 : COOKIE_SECONDS;
      const secure = given.secure ?? false;
      store.set(name, decodeURIComponent(value), { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge });
    }
  }
}
