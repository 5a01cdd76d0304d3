import { hkdfSync, randomUUID } from 'node:crypto';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { betterAuth } from 'better-auth/minimal';
import type { Database } from '#lib/database/database.ts';
import { inTurn, openTurns } from '#lib/system/turns.ts';
import { ADDRESS_HEADER } from '../client-address.ts';
import type { TeamSettings } from '../team-mode.ts';
import { openKnownBrowsers } from './known-browsers.ts';
import { PASSWORD_LENGTH } from './password-length.ts';
import { HOST_TOKEN_PREFIX, sessionCookieNames } from './session-cookie.ts';

/** A session that nobody uses ends after so many days, or after `sessionDays` where that is less. */
export const UNUSED_SESSION_DAYS = 7;
/** Each hash takes one of Node's four threads for tenths of a second: files and compression need the others. */
const MOST_HASHES = 2;
const DAY_SECONDS = 24 * 60 * 60;
/** How often at most a session that is in use is moved on, and noted as seen. */
export const SEEN_STEP_SECONDS = 60;

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
