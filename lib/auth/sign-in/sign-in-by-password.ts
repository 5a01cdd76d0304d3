import { isAPIError } from 'better-auth/api';
import { z } from 'zod';
import { findMemberByEmail, recordMemberActivity, removeEndedSessions } from '#lib/auth/members.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { getLog } from '#lib/log/log.ts';
import { ADDRESS_HEADER } from '../client-address.ts';
import { currentRateLimits, tooManyRequests } from '../rate-limits.ts';
import { recordChange } from '../record-change.ts';
import { libraryMember } from './sessions.ts';
import type { SignInLibrary } from './sign-in-library.ts';
import { clearAttemptsOf, countAttemptOf, type LimitName, refundAttemptOf, tooManyAttempts } from './sign-in-limits.ts';
import { PASSWORD_LENGTH } from './weak-password.ts';

/** Origin of a sign-in. `userAgent` and `cookies` are the browser's headers, or empty. */
export type SignInSource = { address: string; userAgent: string; cookies: string; entry: string; now: Date };

/** Result of a sign-in. `setCookies` are the headers for the browser. */
export type SignedIn = { memberId: string; name: string; setCookies: string[] };

export type SignInContext = { database: Database; library: SignInLibrary };

const signInInput = z.object({
  email: z
    .string()
    .max(254)
    .transform((text) => text.trim().toLowerCase()),
  password: z.string().max(PASSWORD_LENGTH.most),
});

const MAX_USER_AGENT_LENGTH = 300;
const WRONG_CREDENTIALS = 'The e-mail address or the password is wrong.';

/**
 * Signs a person in by email address and password. Always creates a new session, so that no existing one is taken over. Errors give no
 * reason and take the same time for existing and unknown accounts. Failed attempts are limited by account and address across all processes.
 * Attempts from a browser known for the account are limited only by that browser.
 */
export async function signInByPassword(
  context: SignInContext,
  input: unknown,
  source: SignInSource,
): Promise<Result<SignedIn>> {
  const parsed = signInInput.safeParse(input);
  if (!parsed.success) return fail('unauthorized', WRONG_CREDENTIALS);
  const { email } = parsed.data;
  const { database, library } = context;
  const browser = library.knownBrowsers.find(source.cookies, email);
  const seconds = currentRateLimits().takePassword(browser === null ? { address: source.address } : { browser });
  if (seconds !== null) return tooManyRequests(seconds);
  const limits: [LimitName, string][] =
    browser === null
      ? [
          ['address', source.address],
          ['account', email],
        ]
      : [['knownBrowser', browser]];
  // Sequential, so that a blocked address neither counts against an account nor adds a row for each made-up account.
  for (const [name, whose] of limits) {
    const attempt = await countAttemptOf(database, name, whose, source.now);
    if (!attempt.isAllowed) return tooManyAttempts(attempt.until, source.now);
  }
  const opened = await openSession(context, parsed.data, source);
  if (!opened.ok && opened.problem.code === 'unauthorized') return opened;
  for (const [name, whose] of limits)
    await (name === 'address' ? refundAttemptOf(database, name, whose) : clearAttemptsOf(database, name, whose));
  return opened;
}

/**
 * Creates a session for an email address (in lower case) and password, regardless of earlier failures. Use only after counting the attempt,
 * or after the password was set by a link.
 */
export async function openSession(
  { database, library }: SignInContext,
  { email, password }: { email: string; password: string },
  source: SignInSource,
): Promise<Result<SignedIn>> {
  const { address, now } = source;
  const found = await callSignInLibrary(library, { email, password }, source);
  if (found === null) {
    // Not awaited, because it takes longer for existing accounts and would reveal them.
    void recordSignInFailure(database, email, source).catch((error: unknown) =>
      getLog().error('audit of a failed sign-in', error),
    );
    return fail('unauthorized', WRONG_CREDENTIALS);
  }
  if (found.disabled) {
    const { internalAdapter } = await library.$context;
    await internalAdapter.deleteSession(found.token);
    return fail('forbidden', 'This account is disabled. Ask an owner to enable it.');
  }
  const { signedIn, role } = found;
  await recordMemberActivity(database.prisma, signedIn.memberId, now);
  await removeEndedSessions(database.prisma, now);
  await recordChange(
    database.prisma,
    { id: signedIn.memberId, name: signedIn.name, role, address, entry: source.entry },
    { act: 'signed_in', subject: { kind: 'session' } },
  );
  return succeed({
    ...signedIn,
    setCookies: [...signedIn.setCookies, library.knownBrowsers.mark(source.cookies, email)],
  });
}

/** Returns null if the email address and password do not match. */
async function callSignInLibrary(
  library: SignInLibrary,
  body: { email: string; password: string },
  source: SignInSource,
) {
  const headers = new Headers({
    [ADDRESS_HEADER]: source.address,
    'user-agent': source.userAgent.replace(/[^\x20-\x7e]/g, '').slice(0, MAX_USER_AGENT_LENGTH),
  });
  try {
    const { response, headers: answered } = await library.api.signInEmail({ body, headers, returnHeaders: true });
    const { id, name, role, disabledAt } = libraryMember.parse(response.user);
    const signedIn: SignedIn = { memberId: id, name, setCookies: answered.getSetCookie() };
    return { signedIn, role, disabled: disabledAt !== null && disabledAt !== undefined, token: response.token };
  } catch (error) {
    if (isAPIError(error) && (error.statusCode === 401 || error.statusCode === 400)) return null;
    throw error;
  }
}

async function recordSignInFailure(
  database: SignInContext['database'],
  email: string,
  source: SignInSource,
): Promise<void> {
  const member = await findMemberByEmail(database.prisma, email);
  if (member === null) return;
  await recordChange(
    database.prisma,
    { id: 'nobody', name: 'Somebody not signed in', role: null, address: source.address, entry: source.entry },
    { act: 'sign_in_failed', subject: { kind: 'member', id: member.id, name: member.name }, outcome: 'refused' },
  );
}
