import { type Actor, personOf } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanText, sortByName } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import type { Assignee, Assignments } from './schema.ts';

/** Subject that can be assigned to people. */
export type AssignedSubject = { kind: 'run' | 'lesson'; id: string };

const DECIDER_FILTER = { disabledAt: null, role: { in: ['reviewer', 'editor', 'owner'] } };

function subjectOf({ kind, id }: AssignedSubject): { runId: string } | { lessonId: string } {
  return kind === 'run' ? { runId: id } : { lessonId: id };
}

/** Lists the people assigned to a subject, in order of assignment. Disabled members are omitted. */
export async function listAssignees(
  { prisma }: Pick<Database, 'prisma'>,
  subject: AssignedSubject,
): Promise<Omit<Assignee, 'isMine'>[]> {
  const rows = await prisma.assignment.findMany({
    where: { ...subjectOf(subject), member: { disabledAt: null } },
    select: { memberId: true, assignedBy: true, createdAt: true, member: { select: { name: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ memberId, assignedBy, createdAt, member: { name } }) => ({
    ...{ memberId, name, assignedBy },
    createdAt: createdAt.toISOString(),
  }));
}

/** Lists the members with the right to decide, by name. `without`: ids to exclude. */
export async function listDeciders(
  prisma: Transaction,
  without: readonly string[],
): Promise<{ memberId: string; name: string }[]> {
  const members = await prisma.member.findMany({
    where: { ...DECIDER_FILTER, id: { notIn: [...without] } },
    select: { id: true, name: true },
  });
  return sortByName(members)
    .slice(0, 500)
    .map(({ id, name }) => ({ memberId: id, name }));
}

/** Returns a member with the right to decide by id, or null if there is none. */
export function findDecider(client: Transaction, memberId: string): Promise<{ name: string } | null> {
  return client.member.findUnique({ where: { id: memberId, ...DECIDER_FILTER }, select: { name: true } });
}

/** Assigns a subject to a member. Repeating it has no effect. `gone`: the subject does not exist. */
export async function insertAssignment(
  client: Transaction,
  subject: AssignedSubject,
  assignment: { id: string; memberId: string; assignedBy: string; assignedById: string; now: Date },
): Promise<'stored' | 'there' | 'gone'> {
  const { id: subjectId, kind } = subject;
  const { now, assignedBy, ...row } = assignment;
  const where = { id: subjectId };
  const found = await (kind === 'run' ? client.run.count({ where }) : client.lesson.count({ where }));
  if (found === 0) return 'gone';
  const { count } = await client.assignment.createMany({
    data: { ...row, ...subjectOf(subject), assignedBy: cleanText(assignedBy), createdAt: now },
    skipDuplicates: true,
  });
  return count === 1 ? 'stored' : 'there';
}

/** Deletes an assignment and returns the member's name, or null if there was none. */
export async function deleteAssignment(
  client: Transaction,
  subject: AssignedSubject,
  memberId: string,
): Promise<{ name: string } | null> {
  const member = await client.member.findUnique({ where: { id: memberId }, select: { name: true } });
  const { count } = await client.assignment.deleteMany({ where: { ...subjectOf(subject), memberId } });
  return count === 0 ? null : member;
}

/** Deletes all assignments of a member and returns their number. */
export async function deleteAssignmentsOf(client: Transaction, memberId: string): Promise<number> {
  return (await client.assignment.deleteMany({ where: { memberId } })).count;
}

/** Counts a person's open assignments: paused runs and lessons to review. */
export async function countAssigned(
  { prisma }: Pick<Database, 'prisma'>,
  personId: string,
): Promise<{ runs: number; lessons: number }> {
  const [runs, lessons] = await Promise.all([
    prisma.assignment.count({ where: { memberId: personId, run: { status: 'waiting' } } }),
    prisma.assignment.count({
      where: {
        memberId: personId,
        lesson: { OR: [{ status: 'quarantined' }, { status: 'candidate', admission: 'held' }] },
      },
    }),
  ]);
  return { runs, lessons };
}

/** Lists the lessons assigned to a person. */
export async function listAssignedLessons({ prisma }: Pick<Database, 'prisma'>, personId: string): Promise<string[]> {
  const rows = await prisma.assignment.findMany({
    where: { memberId: personId, lessonId: { not: null } },
    select: { lessonId: true },
    orderBy: { createdAt: 'desc' },
    take: 5000,
  });
  return rows.flatMap(({ lessonId }) => lessonId ?? []);
}

/** Returns the assignees of a run or a lesson, and the other possible ones. `without`: ids of people who cannot be assigned. */
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
    choices: await listDeciders(database.prisma, [...without, ...assignees.map(({ memberId }) => memberId)]),
  };
}
