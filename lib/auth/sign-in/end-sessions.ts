import { deleteSessions } from '#lib/auth/member-accounts.ts';
import type { Database } from '#lib/database/database.ts';

/** Ends the sessions of a member, in all browsers but the one of `exceptId`; answers how many. They hold no more from the next request on. */
export function endSessions(
  { pool }: Pick<Database, 'pool'>,
  memberId: string,
  exceptId: string | null = null,
): Promise<number> {
  return deleteSessions(pool, memberId, exceptId);
}
