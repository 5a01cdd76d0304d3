import { type AssignedSubject, deleteAssignment } from '#lib/assignments/assignments.ts';
import { findAssignments } from '#lib/assignments/find-assignments.ts';
import type { Assignments } from '#lib/assignments/team-work.ts';
import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { tryInTransaction } from '#lib/database/try-in-transaction.ts';

/** Asks a member no longer to look at a run or a lesson. Answers who is asked then. */
export async function unassign(
  context: AppContext,
  actor: Actor,
  subject: AssignedSubject,
  memberId: string,
): Promise<Result<Assignments>> {
  const done = await tryInTransaction(context.database, async (client): Promise<Result<null>> => {
    const member = await deleteAssignment(client, subject, memberId);
    if (member === null) return fail('not_found', `This member was not asked to look at this ${subject.kind}.`);
    await recordChange(client, actor, { act: 'unassigned', subject, change: { from: member.name } });
    return succeed(null);
  });
  return done.ok ? succeed(await findAssignments(context, actor, subject)) : done;
}
