import { type Actor, personOf } from '#lib/auth/actor.ts';
import { isLocalOwner } from '#lib/auth/local-owner.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { LessonComment } from '#lib/core/lesson-library.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { lockRow } from '#lib/database/locks.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { lessonCommentSchema } from './lesson-input.ts';
import { lessonNotFound } from './review-lesson.ts';

/** A comment with the fields needed to change it. `actorId` is null for old comments, stored without it. */
type StoredComment = { id: string; lessonId: string; actor: string; actorId: string | null; createdAt: string };

/** Returns a comment on a lesson, or null if the lesson has none with this id. */
async function findComment(
  { prisma }: Pick<Database, 'prisma'>,
  { lessonId, id }: { lessonId: string; id: string },
): Promise<StoredComment | null> {
  const row = await prisma.lessonComment.findFirst({
    where: { id, lessonId },
    select: { id: true, lessonId: true, actor: true, actorId: true, createdAt: true },
  });
  return row === null ? null : { ...row, createdAt: row.createdAt.toISOString() };
}

/** Returns the ids of a person's comments on a lesson. `orUnknown` includes comments without a stored author. */
export async function listOwnComments(
  { prisma }: Pick<Database, 'prisma'>,
  { lessonId, actorId, orUnknown }: { lessonId: string; actorId: string; orUnknown: boolean },
): Promise<string[]> {
  const rows = await prisma.lessonComment.findMany({
    where: { lessonId, OR: [{ actorId }, ...(orUnknown ? [{ actorId: null }] : [])] },
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
    if (!(await lockRow(transaction, 'lessons', lessonId))) return lessonNotFound(lessonId);
    await transaction.lessonComment.create({ data: stored });
    await recordChange(transaction, actor, { act: 'commented', subject: { kind: 'lesson', id: lessonId } });
    return succeed({ ...comment, createdAt: at.toISOString() });
  });
}

/** Replaces the text of the actor's own comment on a lesson (`lessonCommentSchema`). The old text is not kept. */
export async function editComment(
  { database }: Pick<AppContext, 'database'>,
  actor: Actor,
  at: { lessonId: string; id: string },
  input: unknown,
): Promise<Result<LessonComment>> {
  const parsed = parseInput(lessonCommentSchema, input);
  if (!parsed.ok) return parsed;
  const { text } = parsed.value;
  const comment = await findComment(database, at);
  if (comment === null) return noComment(at.id);
  if (!isOwnComment(comment, actor))
    return fail('forbidden', `Only ${comment.actor}, who wrote this comment, can change it.`);
  return inTransaction(database, async (transaction): Promise<Result<LessonComment>> => {
    const { count } = await transaction.lessonComment.updateMany({
      where: { id: at.id },
      data: { text: cleanText(text) },
    });
    if (count === 0) return noComment(at.id);
    await recordChange(transaction, actor, {
      act: 'edited_comment',
      subject: { kind: 'lesson', id: at.lessonId },
    });
    return succeed({ id: at.id, actor: comment.actor, text, createdAt: comment.createdAt });
  });
}

/** Returns true if the actor wrote the comment. Old comments without an author belong to the local owner, who was then the only user. */
function isOwnComment({ actorId }: Pick<StoredComment, 'actorId'>, actor: Actor): boolean {
  return actorId === null ? isLocalOwner(actor) : actorId === personOf(actor);
}

function noComment(id: string): Result<never> {
  return fail('not_found', `There is no comment ${id} on this lesson.`);
}

/** Permanently deletes a comment on a lesson. Allowed for its author and for owners. */
export async function deleteComment(
  { database }: Pick<AppContext, 'database'>,
  actor: Actor,
  at: { lessonId: string; id: string },
): Promise<Result<{ deleted: { comments: number } }>> {
  const comment = await findComment(database, at);
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
