import { type AssignedSubject, listAssignees, listDeciders } from '#lib/db/assignments.ts';
import type { Assignments } from '#lib/reflection/team-work.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { personOf } from '#lib/team/person-of.ts';
import type { Workshop } from '../workshop.ts';

/** Who was asked to look at a run or a lesson, and who else could be. `without`: people who can't, by their ids. */
export async function findAssignments(
  { database }: Pick<Workshop, 'database'>,
  actor: Actor,
  subject: AssignedSubject,
  without: readonly string[] = [],
): Promise<Assignments> {
  const assignees = await listAssignees(database, subject);
  const person = personOf(actor);
  return {
    assignees: assignees.map((one) => ({ ...one, isMine: one.memberId === person })),
    choices: await listDeciders(database.pool, [...without, ...assignees.map(({ memberId }) => memberId)]),
  };
}
