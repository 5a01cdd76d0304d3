import type pg from 'pg';
import { findMemberAccount, lockMembers } from '#lib/auth/member-accounts.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import type { AuditActor } from '../record-change.ts';

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
