import { isAPIError } from 'better-auth/api';
import { z } from 'zod';
import type { Database } from '#lib/db/database.ts';
import { findMemberByEmail, noteMemberSeen, removeEndedSessions } from '#lib/db/member-accounts.ts';
import { removeOldTries } from '#lib/db/sign-in-limits.ts';
import { getLog } from '#lib/log/log.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { recordChange } from '../audit/record-change.ts';
import { ADDRESS_HEADER } from '../client-address.ts';
import { libraryMember } from './library-member.ts';
import { PASSWORD_LENGTH } from './password-length.ts';
import type { SignInLibrary } from './sign-in-library.ts';
import { forgetTriesOf, forgiveTryOf, takeTryOf, tryAgainWords } from './sign-in-limits.ts';

/** Where a sign-in comes from; `userAgent` as the browser says it. */
export type SignInSource = { address: string; userAgent: string; entry: string; now: Date };

/** Somebody is signed in; `setCookies` are the headers that the browser keeps it by. */
export type SignedIn = { memberId: string; name: string; setCookies: string[] };

export type SignInDoor = { database: Pick<Database, 'pool' | 'prisma'>; library: SignInLibrary };

const signInInput = z.object({
  email: z
    .string()
    .max(254)
    .transform((text) => text.trim().toLowerCase()),
  password: z.string().max(PASSWORD_LENGTH.most),
});

const LONGEST_AGENT = 300;
const WRONG = 'This e-mail address and password do not go together.';

/**
 * Signs somebody in by e-mail address and password: always a session of its own, so that none that was there before is taken over.
 * What is wrong is not said, and takes the same time, whether there is such an account or not. Failed tries are limited by account and
 * by address, over all processes.
 */
export async function signInByPassword(
  door: SignInDoor,
  input: unknown,
  source: SignInSource,
): Promise<Result<SignedIn>> {
  const { database } = door;
  const { address, now } = source;
  const parsed = signInInput.safeParse(input);
  if (!parsed.success) return fail('unauthorized', WRONG);
  const { email, password } = parsed.data;
  const [byAddress, byAccount] = await Promise.all([
    takeTryOf(database, 'address', address, now),
    takeTryOf(database, 'account', email, now),
  ]);
  if (!byAddress.taken) return fail('rate_limited', tryAgainWords(byAddress.until, now));
  if (!byAccount.taken) return fail('rate_limited', tryAgainWords(byAccount.until, now));
  const found = await askLibrary(door.library, { email, password }, source);
  if (found === null) {
    // Not waited for: it takes longer where there is such an account.
    void noteFailure(database, email, source).catch((error: unknown) =>
      getLog().error('audit of a failed sign-in', error),
    );
    return fail('unauthorized', WRONG);
  }
  await Promise.all([forgiveTryOf(database, 'address', address), forgetTriesOf(database, 'account', email)]);
  if (found.disabled) {
    const { internalAdapter } = await door.library.$context;
    await internalAdapter.deleteSession(found.token);
    return fail('forbidden', 'This account is disabled. Ask an owner.');
  }
  await noteMemberSeen(database.pool, found.signedIn.memberId, now);
  await Promise.all([removeOldTries(database, now), removeEndedSessions(database.pool, now)]);
  await recordChange(
    database.pool,
    { id: found.signedIn.memberId, name: found.signedIn.name, role: found.role, address, entry: source.entry },
    { act: 'signed_in', subject: { kind: 'session' } },
  );
  return succeed(found.signedIn);
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

async function noteFailure(database: SignInDoor['database'], email: string, source: SignInSource): Promise<void> {
  const member = await findMemberByEmail(database.pool, email);
  if (member === null) return;
  await recordChange(
    database.pool,
    { id: 'nobody', name: 'Somebody not signed in', role: null, address: source.address, entry: source.entry },
    { act: 'sign_in_failed', subject: { kind: 'member', id: member.id, name: member.name }, outcome: 'refused' },
  );
}
