import { z } from 'zod';
import { findAssignments, listDeciders } from '#lib/assignments/queries.ts';
import { type LessonOpinions, type LessonPeople, OPINIONS } from '#lib/assignments/schema.ts';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { isLocalOwner } from '#lib/auth/local-owner.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import { roleAllows } from '#lib/auth/role.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { integerBetween, oneOf } from '#lib/core/setting-parts.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { listOwnComments } from './comments.ts';
import { type LoadedLesson, loadLesson } from './load-lesson.ts';
import {
  findOwnPart,
  insertOpinion,
  listOpinions,
  PART_LABELS,
  peopleOf,
  refusePromotion,
  type StoredOpinion,
} from './own-contributions.ts';
import { lessonNotFound } from './review-lesson.ts';

/** A vote on a lesson in its state after `editCount` edits. */
export const opinionInputSchema = z.strictObject({
  verdict: oneOf(OPINIONS),
  reason: z.string().trim().max(2_000, { error: 'must be at most 2,000 characters' }).default(''),
  editCount: integerBetween(0, 1_000_000).meta({
    description: 'How many edits it had when you read it: 409 if it has more now.',
  }),
});

/**
 * Records a vote on a lesson that waits for a decision. The vote has no effect except for comparison with the votes of others. The first
 * vote on a text is final. The votes of others are shown only afterward. The audit log records that a person voted, but not how.
 */
export async function submitOpinion(
  { database, now }: AppContext,
  actor: Actor,
  lessonId: string,
  input: unknown,
): Promise<Result<LessonOpinions>> {
  const parsed = parseInput(opinionInputSchema, input);
  if (!parsed.ok) return parsed;
  const { verdict, reason, editCount } = parsed.value;
  return inTransaction(database, async (transaction): Promise<Result<LessonOpinions>> => {
    const lesson = await loadLesson(transaction, lessonId, { lock: true });
    if (lesson === null) return lessonNotFound(lessonId);
    const own = await findOwnPart(transaction, lesson, actor);
    if (own !== null && own.others.length > 0)
      return fail('forbidden', `You ${PART_LABELS[own.part]}: others must judge it.`);
    if (!isOpen(lesson))
      return fail('conflict', `It is ${lesson.status} already, so there is nothing left to vote on.`);
    if (lesson.editCount !== editCount)
      return fail('conflict', 'Someone edited this lesson after you opened it. Review it again before you vote.');
    const opinion = { lessonId, edit: editCount, actorId: personOf(actor), actor: actor.name, verdict };
    if (!(await insertOpinion(transaction, { ...opinion, reason: reason === '' ? null : reason, at: now() })))
      return fail('conflict', 'You have already voted on this text. The first vote counts.');
    await recordChange(transaction, actor, { act: 'judged', subject: { kind: 'lesson', id: lessonId } });
    return succeed(
      opinionsFor(lesson, actor, {
        ...(await listOpinions(transaction, { lessonId, edit: editCount })),
        mayJudge: true,
      }),
    );
  });
}

/**
 * Returns the votes on a lesson that a person may see. While it waits for a decision, those who may vote see none before their own vote.
 */
function opinionsFor(
  lesson: Pick<LoadedLesson, 'status'>,
  actor: Actor,
  stored: Awaited<ReturnType<typeof listOpinions>> & { mayJudge: boolean },
): LessonOpinions {
  const person = personOf(actor);
  const { present, older, mayJudge } = stored;
  const hasOwn = present.some(({ actorId }) => actorId === person);
  const shown = (opinions: StoredOpinion[]) =>
    hasOwn || !isOpen(lesson) || !mayJudge
      ? opinions.map(({ actorId, ...opinion }) => ({ ...opinion, isMine: actorId === person }))
      : null;
  return {
    given: present.length,
    opinions: shown(present),
    older: shown(older),
    mayGive: roleAllows(actor.role, 'reviewer') && isOpen(lesson) && !hasOwn && mayJudge,
  };
}

function isOpen({ status }: Pick<LoadedLesson, 'status'>): boolean {
  return status === 'candidate' || status === 'quarantined';
}

/** Returns the people involved with a lesson from the actor's point of view: assignees, votes, and the actor's own contributions. */
export async function findLessonPeople(
  context: Pick<AppContext, 'database'>,
  actor: Actor,
  lessonId: string,
): Promise<Result<LessonPeople>> {
  const { database } = context;
  const { prisma } = database;
  const lesson = await loadLesson(prisma, lessonId, { lock: false });
  if (lesson === null) return lessonNotFound(lessonId);
  const people = peopleOf(lesson);
  const [own, whyNot, others] = await Promise.all([
    findOwnPart(prisma, lesson, actor),
    refusePromotion(prisma, lesson, actor),
    listDeciders(prisma, people),
  ]);
  const [assignments, opinions, ownComments] = await Promise.all([
    findAssignments(context, actor, { kind: 'lesson', id: lessonId }, others.length > 0 ? people : []),
    listOpinions(prisma, { lessonId, edit: lesson.editCount }),
    listOwnComments(database, { lessonId, actorId: personOf(actor), orUnknown: isLocalOwner(actor) }),
  ]);
  return succeed({
    ...assignments,
    ...opinionsFor(lesson, actor, { ...opinions, mayJudge: own === null || own.others.length === 0 }),
    isOwn: own !== null,
    whyNotPromote: whyNot,
    ownComments,
  });
}
