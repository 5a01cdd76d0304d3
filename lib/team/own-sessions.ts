import type { Actor } from '#lib/auth/authorize.ts';
import type { MemberSession } from '#lib/auth/member.ts';
import { deleteSession, listSessions } from '#lib/auth/member-sessions.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { tryInTransaction } from '#lib/database/try-in-transaction.ts';
import { deviceOf } from './device-of.ts';
import { endMemberSessions } from './end-member-sessions.ts';
import { refuseWithoutSignIn } from './refuse-without-sign-in.ts';

/** The browsers in which who asks is signed in, the one used last first. */
export async function listOwnSessions(
  context: Pick<AppContext, 'database' | 'now'>,
  actor: Actor,
): Promise<Result<{ items: MemberSession[] }>> {
  if (actor.memberId === undefined) return refuseWithoutSignIn();
  const rows = await listSessions(context.database, actor.memberId, context.now());
  return succeed({
    items: rows.map(({ userAgent, ...session }) => ({
      ...session,
      device: deviceOf(userAgent),
      isThis: session.id === actor.sessionId,
    })),
  });
}

/** Ends one of one's own sessions; another member's is as if it were not there. */
export async function revokeOwnSession(
  { database }: Pick<AppContext, 'database'>,
  actor: Actor,
  sessionId: string,
): Promise<Result<{ ended: number }>> {
  const { memberId } = actor;
  if (memberId === undefined) return refuseWithoutSignIn();
  return tryInTransaction(database, async (client): Promise<Result<{ ended: number }>> => {
    if (!(await deleteSession(client, { memberId, id: sessionId })))
      return fail('not_found', 'You have no session with this id: it has ended already.');
    await recordChange(client, actor, {
      act: 'revoked',
      subject: { kind: 'session', name: actor.name },
      change: { sessionsEnded: 1 },
    });
    return succeed({ ended: 1 });
  });
}

/** Ends all of one's own sessions but the one that asks. */
export async function revokeOtherSessions(
  context: Pick<AppContext, 'database'>,
  actor: Actor,
): Promise<Result<{ ended: number }>> {
  return actor.memberId === undefined ? refuseWithoutSignIn() : endMemberSessions(context, actor, actor.memberId);
}
