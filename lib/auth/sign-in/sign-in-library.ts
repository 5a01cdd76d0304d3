import { createHmac, hkdfSync, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { betterAuth } from 'better-auth/minimal';
import { ADDRESS_HEADER } from '#lib/auth/client-address.ts';
import { getAppDatabase } from '#lib/context/app-database.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { inTurn, openTurns } from '#lib/system/concurrency.ts';
import { type TeamSettings, teamSettings } from '../mode.ts';
import { HOST_TOKEN_PREFIX, sessionCookieNames } from './session-cookie.ts';
import { PASSWORD_LENGTH } from './weak-password.ts';

/** Maximum number of people for whom a browser is marked as known. */
const MAX_MARKS = 5;
/** Maximum cookie lifetime accepted by browsers. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60;
const MARK = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/**
 * Cookie that identifies a browser in which a person has signed in before. It grants no access: failed passwords in that browser are only
 * counted separately, so that attempts by others do not lock the person out. It remains after signing out.
 */
type KnownBrowsers = {
  cookieName: string;
  /** Returns an id of this browser if `email` has signed in before. Null if not, or if the cookie is invalid. */
  find(cookieHeader: string, email: string): string | null;
  /** Returns the `Set-Cookie` header that marks the browser as known for `email`. Keeps up to four other marks. */
  mark(cookieHeader: string, email: string): string;
};

/** `secret`, `appUrl`: from the team settings. */
function openKnownBrowsers({ secret, appUrl }: { secret: string; appUrl: string }): KnownBrowsers {
  // Derives a separate key, so that session signatures are not valid here.
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
      .split('~', MAX_MARKS)
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
      const value = [`${id}.${sign(email, id)}`, ...others].slice(0, MAX_MARKS).join('~');
      return `${cookieName}=${value}; Max-Age=${COOKIE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
    },
  };
}

/** Days until an unused session ends, or `sessionDays` if less. */
export const UNUSED_SESSION_DAYS = 7;
/**
 * Maximum concurrent hashes. Each uses one of Node's four threads for tenths of a second, and file access and compression need the others.
 */
const MAX_CONCURRENT_HASHES = 2;
const DAY_SECONDS = 24 * 60 * 60;
/** Minimum interval between extensions of an active session, which also record the member's activity, in seconds. */
const SEEN_STEP_SECONDS = 60;

/**
 * Configures better-auth for our tables: email and password (scrypt), sessions in the database. Its routes are not exposed. Our pages and
 * actions call it, so that the checks of entry points, Host, Origin, limits and audit apply. `appUrl`: the public URL. With https, the
 * cookie is `Secure` and has the prefix `__Host-`.
 */
export function openSignInLibrary(database: DatabaseClient, { secret, appUrl, sessionDays }: TeamSettings) {
  const cookie = sessionCookieNames(appUrl);
  const secure = appUrl.startsWith('https:');
  const hashing = openTurns();
  const library = betterAuth({
    appName: 'Hone',
    baseURL: appUrl,
    // Derives a separate key, so that the key that encrypts provider keys never signs cookies.
    secret: Buffer.from(hkdfSync('sha256', secret, 'hone', 'sessions', 32)).toString('hex'),
    database: prismaAdapter(database.prisma, { provider: 'postgresql' }),
    user: {
      modelName: 'member',
      additionalFields: {
        role: { type: 'string', required: true, input: false },
        disabledAt: { type: 'date', required: false, input: false },
        lastSeenAt: { type: 'date', required: false, input: false },
      },
    },
    session: {
      modelName: 'session',
      expiresIn: Math.min(UNUSED_SESSION_DAYS, sessionDays) * DAY_SECONDS,
      updateAge: SEEN_STEP_SECONDS,
    },
    account: { modelName: 'credential' },
    verification: { modelName: 'verification' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.least,
      maxPasswordLength: PASSWORD_LENGTH.most,
      password: {
        hash: (password) => inTurn(hashing, MAX_CONCURRENT_HASHES, () => hashPassword(password)),
        verify: (given) => inTurn(hashing, MAX_CONCURRENT_HASHES, () => verifyPassword(given)),
      },
    },
    // The limits of lib/auth apply across all processes. Those of the library count per process and by its own routes.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    advanced: {
      cookiePrefix: 'hone',
      // The library's own prefix allows a Domain, which `__Host-` forbids, so a sibling site could set the cookie.
      useSecureCookies: false,
      cookies: { session_token: { name: cookie.name, attributes: { secure, path: '/' } } },
      defaultCookieAttributes: { secure },
      database: { generateId: () => randomUUID() },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => ({ data: { ...session, token: `${HOST_TOKEN_PREFIX}${session.token}` } }),
        },
      },
    },
  });
  return Object.assign(library, {
    cookie,
    longestSessionMs: sessionDays * DAY_SECONDS * 1000,
    knownBrowsers: openKnownBrowsers({ secret, appUrl }),
  });
}

export type SignInLibrary = ReturnType<typeof openSignInLibrary>;

let library: SignInLibrary | undefined;

/** Returns the sign-in library of this process, created on first use. Throws in local mode, which has no sign-in. */
export function getSignInLibrary(): SignInLibrary {
  const team = teamSettings();
  if (team === null) throw new Error('In local mode nobody signs in.');
  library ??= openSignInLibrary(getAppDatabase(), team);
  return library;
}
