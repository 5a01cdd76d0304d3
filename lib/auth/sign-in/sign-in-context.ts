import { headers } from 'next/headers';
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
