import type { Actor } from '#lib/auth/authorize.ts';
import { deleteSessions, findMemberAccount } from '#lib/auth/member-accounts.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { tryInTransaction } from '#lib/database/try-in-transaction.ts';
import { noMember } from './change-member.ts';

/** Signs a member out of all browsers; of one's own, the one that asks stays. Answers how many sessions ended. */
export async function endMemberSessions(
  { database }: Pick<AppContext, 'database'>,
  actor: Actor,
  memberId: string,
): Promise<Result<{ ended: number }>> {
  return tryInTransaction(database, async (client): Promise<Result<{ ended: number }>> => {
    const member = await findMemberAccount(client, memberId);
    if (member === null) return noMember();
    const isOwn = memberId === actor.memberId;
    const ended = await deleteSessions(client, memberId, isOwn ? (actor.sessionId ?? null) : null);
    if (ended > 0)
      await recordChange(client, actor, {
        act: 'revoked',
        subject: { kind: 'session', name: member.name },
        change: { sessionsEnded: ended },
      });
    return succeed({ ended });
  });
}
