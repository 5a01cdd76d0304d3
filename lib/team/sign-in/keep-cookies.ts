import { parseSetCookieHeader } from 'better-auth/cookies';
import { cookies } from 'next/headers';

/** As long as browsers keep one at most. The session itself ends by the server's clock, seven days after its last use. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60;

/** Has the answer of an action set the sign-in library's cookies, as they stand in its `Set-Cookie` headers. */
export async function keepCookies(setCookies: readonly string[]): Promise<void> {
  const store = await cookies();
  for (const header of setCookies) {
    for (const [name, { value, ...given }] of parseSetCookieHeader(header)) {
      const maxAge = given['max-age'] === 0 ? 0 : COOKIE_SECONDS;
      const secure = given.secure ?? false;
      store.set(name, decodeURIComponent(value), { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge });
    }
  }
}
