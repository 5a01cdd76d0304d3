import { isAPIError } from 'better-auth/api';
import { z } from 'zod';
import { findMemberByEmail, noteMemberSeen, removeEndedSessions } from '#lib/auth/members.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { getLog } from '#lib/log/log.ts';
import { ADDRESS_HEADER } from '../client-address.ts';
import { currentRateLimits, tooManyRequests } from '../rate-limits.ts';
import { recordChange } from '../record-change.ts';
import { libraryMember } from './sessions.ts';
import type { SignInLibrary } from './sign-in-library.ts';
import { forgetTriesOf, forgiveTryOf, type LimitName, takeTryOf, tooManyTries } from './sign-in-limits.ts';
import { PASSWORD_LENGTH } from './weak-password.ts';

/** Where a sign-in comes from; `userAgent` and `cookies` (the header of that name, or empty) as the browser says it. */
export type SignInSource = { address: string; userAgent: string; cookies: string; entry: string; now: Date };

/** Somebody is signed in; `setCookies` are the headers that the browser keeps it by. */
export type SignedIn = { memberId: string; name: string; setCookies: string[] };

export type SignInContext = { database: Database; library: SignInLibrary };

const signInInput = z.object({
  email: z
    .string()
    .max(254)
    .transform((text) => text.trim().toLowerCase()),
  password: z.string().max(PASSWORD_LENGTH.most),
});

const LONGEST_AGENT = 300;
const WRONG = 'The e-mail address or the password is wrong.';

/**
 * Signs somebody in by e-mail address and password: always a session of its own, so that none that was there before is taken over.
 * What is wrong is not said, and takes the same time, whether there is such an account or not. Failed tries are limited by account and
 * by address, over all processes; those of a browser in which the account has signed in before by that browser alone.
 */
export async function signInByPassword(
  door: SignInContext,
  input: unknown,
  source: SignInSource,
): Promise<Result<SignedIn>> {
  const parsed = signInInput.safeParse(input);
  if (!parsed.success) return fail('unauthorized', WRONG);
  const { email } = parsed.data;
  const { database, library } = door;
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
  // One after the other: an address that is blocked counts for no account, nor leaves a row for each that it makes up.
  for (const [name, whose] of limits) {
    const taken = await takeTryOf(database, name, whose, source.now);
    if (!taken.taken) return tooManyTries(taken.until, source.now);
  }
  const opened = await openSession(door, parsed.data, source);
  if (!opened.ok && opened.problem.code === 'unauthorized') return opened;
  for (const [name, whose] of limits)
    await (name === 'address' ? forgiveTryOf(database, name, whose) : forgetTriesOf(database, name, whose));
  return opened;
}

/**
 * Begins a session of whoever has this e-mail address (in lower case) and password, however many tries failed before. Only for those
 * whose tries were counted, or who have just set the password by a link.
 */
export async function openSession(
  { database, library }: SignInContext,
  { email, password }: { email: string; password: string },
  source: SignInSource,
): Promise<Result<SignedIn>> {
  const { address, now } = source;
  const found = await askLibrary(library, { email, password }, source);
  if (found === null) {
    // Not waited for: it takes longer where there is such an account.
    void noteFailure(database, email, source).catch((error: unknown) =>
      getLog().error('audit of a failed sign-in', error),
    );
    return fail('unauthorized', WRONG);
  }
  if (found.disabled) {
    const { internalAdapter } = await library.$context;
    await internalAdapter.deleteSession(found.token);
    return fail('forbidden', 'This account is disabled. Ask an owner to enable it.');
  }
  const { signedIn, role } = found;
  await noteMemberSeen(database.prisma, signedIn.memberId, now);
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

/** null where the two do not go together. */
async function askLibrary(library: SignInLibrary, body: { email: string; password: string }, source: SignInSource) {
  const headers = new Headers({
    [ADDRESS_HEADER]: source.address,
    'user-agent': source.userAgent.replace(/[^\x20-\x7e]/g, '').slice(0, LONGEST_AGENT),
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

async function noteFailure(database: SignInContext['database'], email: string, source: SignInSource): Promise<void> {
  const member = await findMemberByEmail(database.prisma, email);
  if (member === null) return;
  await recordChange(
    database.prisma,
    { id: 'nobody', name: 'Somebody not signed in', role: null, address: source.address, entry: source.entry },
    { act: 'sign_in_failed', subject: { kind: 'member', id: member.id, name: member.name }, outcome: 'refused' },
  );
}
