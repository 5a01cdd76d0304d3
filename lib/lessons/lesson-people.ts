import { z } from 'zod';
import {
  findAssignments,
  type LessonOpinions,
  type LessonPeople,
  listDeciders,
  OPINIONS,
} from '#lib/assignments/queries.ts';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { isLocalOwner } from '#lib/auth/mode.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import { roleAllows } from '#lib/auth/role.ts';
import type { AppContext, DatabaseContext } from '#lib/context/app-context.ts';
import type { LessonComment } from '#lib/core/lesson-library.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { integerBetween, oneOf } from '#lib/core/setting-parts.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { lockRow } from '#lib/database/locks.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import {
  findOwnPart,
  insertOpinion,
  listOpinions,
  PART_LABELS,
  peopleOf,
  refusePromotion,
  type StoredOpinion,
} from './contributions.ts';
import { type LoadedLesson, loadLesson } from './load-lesson.ts';
import { lessonCommentSchema } from './schema.ts';

/** Returns the ids of the actor's comments on a lesson. See `isOwnComment`. */
async function listOwnComments({ prisma }: DatabaseClient, actor: Actor, lessonId: string): Promise<string[]> {
  const authors = isLocalOwner(actor) ? [personOf(actor), null] : [personOf(actor)];
  const rows = await prisma.lessonComment.findMany({
    where: { lessonId, OR: authors.map((actorId) => ({ actorId })) },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Stores a person's comment on a lesson (`lessonCommentSchema`), whatever its status. */
export async function commentLesson(
  context: AppContext,
  actor: Actor,
  lessonId: string,
  input: unknown,
): Promise<Result<LessonComment>> {
  const parsed = parseInput(lessonCommentSchema, input);
  if (!parsed.ok) return parsed;
  const at = context.now();
  const comment = { id: context.newId(), actor: actor.name, text: parsed.value.text };
  const stored = { ...comment, text: cleanText(comment.text), actorId: personOf(actor), lessonId, createdAt: at };
  return inTransaction(context.database, async (transaction): Promise<Result<LessonComment>> => {
    if (!(await lockRow(transaction, 'lessons', lessonId))) return notStored('lesson', lessonId);
    await transaction.lessonComment.create({ data: stored });
    await recordChange(transaction, actor, { act: 'commented', subject: { kind: 'lesson', id: lessonId } });
    return succeed({ ...comment, createdAt: at.toISOString() });
  });
}

/** Replaces the text of the actor's own comment on a lesson (`lessonCommentSchema`). The old text is not kept. */
export async function editComment(
  { database }: DatabaseContext,
  actor: Actor,
  at: { lessonId: string; id: string },
  input: unknown,
): Promise<Result<LessonComment>> {
  const parsed = parseInput(lessonCommentSchema, input);
  if (!parsed.ok) return parsed;
  const { text } = parsed.value;
  const comment = await database.prisma.lessonComment.findFirst({ where: at });
  if (comment === null) return noComment(at.id);
  if (!isOwnComment(comment, actor))
    return fail('forbidden', `Only ${comment.actor}, who wrote this comment, can change it.`);
  return inTransaction(database, async (transaction): Promise<Result<LessonComment>> => {
    const { count } = await transaction.lessonComment.updateMany({
      where: { id: at.id },
      data: { text: cleanText(text) },
    });
    if (count === 0) return noComment(at.id);
    await recordChange(transaction, actor, { act: 'edited_comment', subject: { kind: 'lesson', id: at.lessonId } });
    return succeed({ id: at.id, actor: comment.actor, text, createdAt: comment.createdAt.toISOString() });
  });
}

/** Returns true if the actor wrote the comment. Old comments without an author belong to the local owner, who was then the only user. */
function isOwnComment({ actorId }: { actorId: string | null }, actor: Actor): boolean {
  return actorId === null ? isLocalOwner(actor) : actorId === personOf(actor);
}

function noComment(id: string): Result<never> {
  return fail('not_found', `There is no comment ${id} on this lesson.`);
}

/** Permanently deletes a comment on a lesson. Allowed for its author and for owners. */
export async function deleteComment(
  { database }: DatabaseContext,
  actor: Actor,
  at: { lessonId: string; id: string },
): Promise<Result<{ deleted: { comments: number } }>> {
  const comment = await database.prisma.lessonComment.findFirst({ where: at });
  if (comment === null) return noComment(at.id);
  if (!isOwnComment(comment, actor) && actor.role !== 'owner')
    return fail('forbidden', `Only ${comment.actor}, who wrote this comment, or an owner can delete it.`);
  return inTransaction(database, async (transaction) => {
    const { count } = await transaction.lessonComment.deleteMany({ where: { id: at.id } });
    if (count === 0) return noComment(at.id);
    await recordChange(transaction, actor, {
      act: 'deleted_comment',
      subject: { kind: 'lesson', id: at.lessonId },
      change: { by: comment.actor },
    });
    return succeed({ deleted: { comments: 1 } });
  });
}

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
    if (lesson === null) return notStored('lesson', lessonId);
    const contribution = await findOwnPart(transaction, lesson, actor);
    if (contribution !== null && contribution.others.length > 0)
      return fail('forbidden', `You ${PART_LABELS[contribution.part]}: others must judge it.`);
    if (!isOpen(lesson))
      return fail('conflict', `It is ${lesson.status} already, so there is nothing left to vote on.`);
    if (lesson.editCount !== editCount)
      return fail('conflict', 'Someone edited this lesson after you opened it. Review it again before you vote.');
    const opinion = { lessonId, edit: editCount, actorId: personOf(actor), actor: actor.name, verdict };
    if (!(await insertOpinion(transaction, { ...opinion, reason: reason === '' ? null : reason, at: now() })))
      return fail('conflict', 'You have already voted on this text. The first vote counts.');
    await recordChange(transaction, actor, { act: 'judged', subject: { kind: 'lesson', id: lessonId } });
    const opinions = await listOpinions(transaction, { lessonId, edit: editCount });
    return succeed(opinionsFor(lesson, actor, { ...opinions, mayJudge: true }));
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
  context: DatabaseContext,
  actor: Actor,
  lessonId: string,
): Promise<Result<LessonPeople>> {
  const { database } = context;
  const { prisma } = database;
  const lesson = await loadLesson(prisma, lessonId, { lock: false });
  if (lesson === null) return notStored('lesson', lessonId);
  const people = peopleOf(lesson);
  const [contribution, whyNot, others] = await Promise.all([
    findOwnPart(prisma, lesson, actor),
    refusePromotion(prisma, lesson, actor),
    listDeciders(prisma, people),
  ]);
  const [assignments, opinions, ownComments] = await Promise.all([
    findAssignments(context, actor, { kind: 'lesson', id: lessonId }, others.length > 0 ? people : []),
    listOpinions(prisma, { lessonId, edit: lesson.editCount }),
    listOwnComments(database, actor, lessonId),
  ]);
  return succeed({
    ...assignments,
    ...opinionsFor(lesson, actor, { ...opinions, mayJudge: contribution === null || contribution.others.length === 0 }),
    isOwn: contribution !== null,
    whyNotPromote: whyNot,
    ownComments,
  });
}
