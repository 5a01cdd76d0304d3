import { type AssignedSubject, deleteAssignment } from '#lib/db/assignments.ts';
import { tryInTransaction } from '#lib/db/try-in-transaction.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { Assignments } from '#lib/reflection/team-work.ts';
import { recordChange } from '#lib/team/audit/record-change.ts';
import type { Actor } from '#lib/team/authorize.ts';
import type { Workshop } from '../workshop.ts';
import { findAssignments } from './find-assignments.ts';

/** Asks a member no longer to look at a run or a lesson. Answers who is asked then. */
export async function unassign(
  workshop: Workshop,
  actor: Actor,
  subject: AssignedSubject,
  memberId: string,
): Promise<Result<Assignments>> {
  const done = await tryInTransaction(workshop.database, async (client): Promise<Result<null>> => {
    const member = await deleteAssignment(client, subject, memberId);
    if (member === null) return fail('not_found', `This member was not asked to look at this ${subject.kind}.`);
    await recordChange(client, actor, { act: 'unassigned', subject, change: { from: member.name } });
    return succeed(null);
  });
  return done.ok ? succeed(await findAssignments(workshop, actor, subject)) : done;
}
