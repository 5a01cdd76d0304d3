import { createHmac, hkdfSync, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { betterAuth } from 'better-auth/minimal';
import { ADDRESS_HEADER } from '#lib/auth/client-address.ts';
import { type TeamSettings, teamSettings } from '#lib/auth/team-mode.ts';
import { getAppDatabase } from '#lib/context/app-database.ts';
import type { Database } from '#lib/database/database.ts';
import { inTurn, openTurns } from '#lib/system/turns.ts';
import { HOST_TOKEN_PREFIX, sessionCookieNames } from './session-cookie.ts';
import { PASSWORD_LENGTH } from './weak-password.ts';

/** Marks of different people that one browser keeps. */
const MOST_MARKS = 5;
/** As long as browsers keep a cookie at most. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60;
const MARK = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/**
 * The cookie by which a browser is known in which somebody has signed in before. It lets nobody in: wrong passwords in such a browser
 * are only counted apart, so that those of strangers do not keep the person out. It stays when they sign out.
 */
type KnownBrowsers = {
  cookieName: string;
  /** An id of this browser where `email` has signed in before; null where they have not, or the cookie is not one of ours. */
  find(cookieHeader: string, email: string): string | null;
  /** The `Set-Cookie` header that makes the browser known for `email`; others it is known for stay, up to four of them. */
  mark(cookieHeader: string, email: string): string;
};

/** `secret`, `appUrl`: of the team settings. */
function openKnownBrowsers({ secret, appUrl }: { secret: string; appUrl: string }): KnownBrowsers {
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

/** A session that nobody uses ends after so many days, or after `sessionDays` where that is less. */
export const UNUSED_SESSION_DAYS = 7;
/** Each hash takes one of Node's four threads for tenths of a second: files and compression need the others. */
const MOST_HASHES = 2;
const DAY_SECONDS = 24 * 60 * 60;
/** How often at most a session that is in use is moved on, and noted as seen. */
const SEEN_STEP_SECONDS = 60;

/**
 * better-auth over our tables: e-mail and password (scrypt), sessions in the database. It has no routes of its own here: our pages and
 * actions call it, so that entries, Host, Origin, limits and audit hold. `appUrl`: where people reach Hone; by https its cookie is `Secure`
 * and has the prefix `__Host-`.
 */
export function openSignInLibrary(database: Pick<Database, 'prisma'>, { secret, appUrl, sessionDays }: TeamSettings) {
  const cookie = sessionCookieNames(appUrl);
  const secure = appUrl.startsWith('https:');
  const hashing = openTurns();
  const library = betterAuth({
    appName: 'Hone',
    baseURL: appUrl,
    // What seals provider keys must not sign cookies.
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
        hash: (password) => inTurn(hashing, MOST_HASHES, () => hashPassword(password)),
        verify: (given) => inTurn(hashing, MOST_HASHES, () => verifyPassword(given)),
      },
    },
    // The limits of lib/auth hold over all processes; the library's own would count per process and by its own routes.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    advanced: {
      cookiePrefix: 'hone',
      // The prefix that the library would add allows what __Host- forbids: a Domain, and so a cookie that a neighbouring site sets.
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

/** The sign-in of this process, made at first use. Throws in local mode, which has none. */
export function getSignInLibrary(): SignInLibrary {
  const team = teamSettings();
  if (team === null) throw new Error('In local mode nobody signs in.');
  library ??= openSignInLibrary(getAppDatabase(), team);
  return library;
}
