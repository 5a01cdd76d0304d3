import { hkdfSync, randomUUID } from 'node:crypto';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { betterAuth } from 'better-auth/minimal';
import type { Database } from '#lib/db/database.ts';
import { ADDRESS_HEADER } from '../client-address.ts';
import type { TeamSettings } from '../team-mode.ts';
import { PASSWORD_LENGTH } from './password-length.ts';

export const SESSION_DAYS = 7;
/** How often at most a session that is in use is moved on, and noted as seen. */
export const SEEN_STEP_SECONDS = 60;

/**
 * better-auth over our tables: e-mail and password (scrypt), sessions in the database. It has no routes of its own here: our pages and
 * actions call it, so that entries, Host, Origin, limits and audit hold. `appUrl`: where people reach Hone; by https its cookies are `Secure`.
 */
export function openSignInLibrary(database: Pick<Database, 'prisma'>, { secret, appUrl }: TeamSettings) {
  return betterAuth({
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
      expiresIn: SESSION_DAYS * 24 * 60 * 60,
      updateAge: SEEN_STEP_SECONDS,
    },
    account: { modelName: 'credential' },
    verification: { modelName: 'verification' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.least,
      maxPasswordLength: PASSWORD_LENGTH.most,
    },
    // The limits of lib/team hold over all processes; the library's own would count per process and by its own routes.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    advanced: {
      cookiePrefix: 'hone',
      useSecureCookies: appUrl.startsWith('https:'),
      database: { generateId: () => randomUUID() },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
  });
}

export type SignInLibrary = ReturnType<typeof openSignInLibrary>;
