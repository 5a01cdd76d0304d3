import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type AssignedSubject, listAssignees, listDeciders } from './assignments.ts';
import type { Assignments } from './team-work.ts';

/** Who was asked to look at a run or a lesson, and who else could be. `without`: people who can't, by their ids. */
export async function findAssignments(
  { database }: Pick<AppContext, 'database'>,
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
