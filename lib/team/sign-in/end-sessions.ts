import type { Database } from '#lib/db/database.ts';
import { deleteSessions } from '#lib/db/member-accounts.ts';

/** Ends the sessions of a member, in all browsers but the one of `exceptId`; answers how many. They hold no more from the next request on. */
export function endSessions(
  { pool }: Pick<Database, 'pool'>,
  memberId: string,
  exceptId: string | null = null,
): Promise<number> {
  return deleteSessions(pool, memberId, exceptId);
}
