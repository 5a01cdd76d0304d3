import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { findOpenMemberLink, type MemberLink } from '#lib/auth/member-links.ts';
import { findMemberAccount, lockMembers } from '#lib/auth/members.ts';
import type { AuditActor } from '#lib/auth/record-change.ts';
import { takeTryOf, tooManyTries } from '#lib/auth/sign-in/sign-in-limits.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';

const FORM = /^[A-Za-z0-9_-]{43}$/;

/** A new token of 256 random bits, what is kept of it (SHA-256 in hexadecimal), and the path that it stands in. */
export function makeLinkToken(): { hash: string; path: string } {
  const token = randomBytes(32).toString('base64url');
  return { hash: hashLinkToken(token) ?? '', path: `/join/${token}` };
}

/** What is kept of a token; null where it has not the form of one. */
function hashLinkToken(token: string): string | null {
  return FORM.test(token) ? createHash('sha256').update(token).digest('hex') : null;
}

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

/**
 * Refuses a link to a member who stopped being an owner since they were let in to make it: it would be stored after the change that
 * withdraws their links. Null: they may, to the end of the transaction; so may whoever runs Hone, who is no member.
 */
export async function refuseNoOwner(
  client: pg.PoolClient,
  { memberId }: Pick<AuditActor, 'memberId'>,
): Promise<Result<never> | null> {
  if (memberId === undefined) return null;
  await lockMembers(client);
  const maker = await findMemberAccount(client, memberId);
  return maker?.role === 'owner' && maker.disabledAt === null
    ? null
    : fail('forbidden', 'You are not an owner any more: only owners make links.');
}
