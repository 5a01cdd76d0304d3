import { z } from 'zod';
import {
  type AssignedSubject,
  deleteAssignment,
  findAssignments,
  findDecider,
  insertAssignment,
  listDeciders,
} from '#lib/assignments/queries.ts';
import type { Assignments } from '#lib/assignments/schema.ts';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { tryInTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { loadLesson } from '#lib/lessons/load-lesson.ts';
import { PART_LABELS, partIn, peopleOf } from '#lib/lessons/own-contributions.ts';

/** The member to assign. */
export const assignmentInputSchema = z.strictObject({
  memberId: z.string({ error: 'must be the id of a member' }).min(1).max(100),
});

/**
 * Assigns a run or a lesson to a member, so that it appears in their inbox. The member must be allowed to decide. For a lesson, they must
 * not have contributed to it, unless all members have. Others can still decide. Returns the current assignees.
 */
export async function assign(
  context: AppContext,
  actor: Actor,
  subject: AssignedSubject,
  input: unknown,
): Promise<Result<Assignments>> {
  const parsed = parseInput(assignmentInputSchema, input);
  if (!parsed.ok) return parsed;
  const { memberId } = parsed.value;
  const { database } = context;
  const done = await tryInTransaction(database, async (transaction): Promise<Result<null>> => {
    const member = await findDecider(transaction, memberId);
    if (member === null) return fail('invalid', 'memberId: no active member with this id can decide.', 'memberId');
    const lesson = subject.kind === 'lesson' ? await loadLesson(transaction, subject.id, { lock: false }) : null;
    const part = lesson === null ? null : partIn(lesson, memberId);
    // If all members contributed, they review each other's lessons.
    if (lesson !== null && part !== null && (await listDeciders(transaction, peopleOf(lesson))).length > 0)
      return fail('conflict', `${member.name} ${PART_LABELS[part]}. Assign someone else.`, 'memberId');
    const outcome = await insertAssignment(transaction, subject, {
      ...{ id: context.newId(), memberId, assignedBy: actor.name, assignedById: personOf(actor) },
      now: context.now(),
    });
    switch (outcome) {
      case 'gone':
        return fail('not_found', `There is no ${subject.kind} ${subject.id}.`);
      case 'stored':
        await recordChange(transaction, actor, { act: 'assigned', subject, change: { to: member.name } });
        return succeed(null);
      case 'there':
        return succeed(null);
    }
  });
  return done.ok ? succeed(await findAssignments(context, actor, subject)) : done;
}

/** Returns the assignees of a run and the other possible ones. Not found if the run does not exist. */
export async function findRunAssignments(
  context: AppContext,
  actor: Actor,
  runId: string,
): Promise<Result<Assignments>> {
  if ((await context.database.prisma.run.count({ where: { id: runId } })) === 0)
    return fail('not_found', `There is no run ${runId}.`);
  return succeed(await findAssignments(context, actor, { kind: 'run', id: runId }));
}

/** Removes the assignment of a run or a lesson to a member. Returns the current assignees. */
export async function unassign(
  context: AppContext,
  actor: Actor,
  subject: AssignedSubject,
  memberId: string,
): Promise<Result<Assignments>> {
  const done = await tryInTransaction(context.database, async (transaction): Promise<Result<null>> => {
    const member = await deleteAssignment(transaction, subject, memberId);
    if (member === null) return fail('not_found', `This member is not assigned to this ${subject.kind}.`);
    await recordChange(transaction, actor, { act: 'unassigned', subject, change: { from: member.name } });
    return succeed(null);
  });
  return done.ok ? succeed(await findAssignments(context, actor, subject)) : done;
}
