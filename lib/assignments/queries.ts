import { z } from 'zod';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import type { DatabaseContext } from '#lib/context/app-context.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { cleanText, sortByName, withIsoTimes } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';

/** Verdicts that a reviewer can give on a lesson. */
export const OPINIONS = ['promote', 'reject'] as const;
export type Opinion = (typeof OPINIONS)[number];

/** A member as shown to other members. */
const teammateSchema = z.object({ memberId: z.string(), name: z.string() });

/** A person assigned to a run or a lesson. `isMine`: the caller is this person. */
const assigneeSchema = teammateSchema.extend({
  assignedBy: z.string(),
  createdAt: z.iso.datetime(),
  isMine: z.boolean(),
});
type Assignee = z.infer<typeof assigneeSchema>;

/** People assigned to a subject, and the other members who could be: those with the right to decide. */
export const assignmentsSchema = z.object({
  assignees: z.array(assigneeSchema),
  choices: z.array(teammateSchema).meta({ description: 'Members that this can be assigned to, including yourself.' }),
});
export type Assignments = z.infer<typeof assignmentsSchema>;

/** A person's opinion on a lesson. */
const lessonOpinionSchema = z.object({
  actor: z.string(),
  verdict: z.enum(OPINIONS),
  reason: z.string().nullable(),
  createdAt: z.iso.datetime(),
  editCount: z.int().min(0).meta({ description: 'Number of edits of the text that the vote is about.' }),
  isMine: z.boolean(),
});
export type LessonOpinion = z.infer<typeof lessonOpinionSchema>;

/** Opinions on the current text of a lesson, as visible to the caller. */
export const lessonOpinionsSchema = z.object({
  given: z.int().min(0),
  opinions: z
    .array(lessonOpinionSchema)
    .nullable()
    .meta({ description: 'Null while the lesson waits for review and you can still vote without having seen them.' }),
  older: z
    .array(lessonOpinionSchema)
    .nullable()
    .meta({ description: 'Votes on an older text, which do not count. Null as long as `opinions` is null.' }),
  mayGive: z.boolean().meta({
    description: 'You can vote: the lesson waits for review, is not your own work, and you have not voted yet.',
  }),
});
export type LessonOpinions = z.infer<typeof lessonOpinionsSchema>;

/** Reason why a requested promotion is still pending. The vote is stored. Null if the promotion is done. */
export const pendingPromotionSchema = z
  .object({
    why: z
      .enum(['objections', 'second_person'])
      .meta({ description: 'Others voted against it: confirm it. Or another person must vote for it.' }),
    message: z.string(),
    objections: z.array(lessonOpinionSchema).meta({ description: 'The votes of others against it.' }),
  })
  .nullable();
export type PendingPromotion = NonNullable<z.infer<typeof pendingPromotionSchema>>;

/** People involved in a lesson, as visible to one of them. */
export const lessonPeopleSchema = lessonOpinionsSchema.extend({
  ...assignmentsSchema.shape,
  isOwn: z.boolean().meta({
    description: 'You contributed to this lesson: you wrote or edited it, or you wrote, started or decided its run.',
  }),
  whyNotPromote: z
    .string()
    .nullable()
    .meta({ description: 'Why you may not promote it, and who can. Null if your role allows it.' }),
  ownComments: z.array(z.guid()).meta({ description: 'Your own comments, which you may change and delete.' }),
});
export type LessonPeople = z.infer<typeof lessonPeopleSchema>;

/** Subject that can be assigned to people. */
export type AssignedSubject = { kind: 'run' | 'lesson'; id: string };

const DECIDER_FILTER = { disabledAt: null, role: { in: ['reviewer', 'editor', 'owner'] } };

function subjectOf({ kind, id }: AssignedSubject): { runId: string } | { lessonId: string } {
  return kind === 'run' ? { runId: id } : { lessonId: id };
}

/** Lists the people assigned to a subject, in order of assignment. Disabled members are omitted. */
export async function listAssignees(
  { prisma }: DatabaseClient,
  subject: AssignedSubject,
): Promise<Omit<Assignee, 'isMine'>[]> {
  const rows = await prisma.assignment.findMany({
    where: { ...subjectOf(subject), member: { disabledAt: null } },
    select: { memberId: true, assignedBy: true, createdAt: true, member: { select: { name: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ member: { name }, ...row }) => ({ name, ...withIsoTimes(row) }));
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
  { prisma }: DatabaseClient,
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
export async function listAssignedLessons({ prisma }: DatabaseClient, personId: string): Promise<string[]> {
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
  { database }: DatabaseContext,
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
