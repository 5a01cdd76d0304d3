import { findOpenMemberLink, type MemberLink } from '#lib/auth/member-links.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { takeTryOf, tooManyTries } from '../sign-in/sign-in-limits.ts';
import { hashLinkToken } from './link-token.ts';

/**
 * The link whose token somebody holds, while it can be used; looking does not use it up. One that was never made, was used, has ended or
 * was withdrawn is answered in the same words; who tries many from one address is told to wait.
 */
export async function findOpenLink(
  database: Pick<Database, 'pool'>,
  token: unknown,
  { now, address }: { now: Date; address: string },
): Promise<Result<MemberLink>> {
  const hash = typeof token === 'string' ? hashLinkToken(token) : null;
  const link = hash === null ? null : await findOpenMemberLink(database.pool, hash, now);
  if (link !== null) return succeed(link);
  const taken = await takeTryOf(database, 'links', address, now);
  if (!taken.taken) return tooManyTries(taken.until, now);
  return fail(
    'not_found',
    'This link was used already, has ended or was withdrawn. Ask an owner for a new one; while there is no member, Hone prints one at each start.',
  );
}
