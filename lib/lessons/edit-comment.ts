import type { Actor } from '#lib/auth/authorize.ts';
import { isLocalOwner } from '#lib/auth/local-owner.ts';
import { personOf } from '#lib/auth/person-of.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { LessonComment } from '#lib/core/lesson-library.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { findComment, type StoredComment, updateComment } from './lesson-comments.ts';
import { lessonCommentSchema } from './lesson-input.ts';

/** Puts another text in the place of one's own comment on a lesson (`lessonCommentSchema`); the old one is not kept. */
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
  return database.prisma.$transaction(async (transaction): Promise<Result<LessonComment>> => {
    if (!(await updateComment(transaction, { id: at.id, text }))) return noComment(at.id);
    await recordChange(transaction, actor, {
      act: 'edited_comment',
      subject: { kind: 'lesson', id: at.lessonId },
    });
    return succeed({ id: at.id, actor: comment.actor, text, createdAt: comment.createdAt });
  });
}

/** Whether somebody wrote it. Comments from before their writers were kept are the local owner's, who was the one person there was. */
export function isOwnComment({ actorId }: Pick<StoredComment, 'actorId'>, actor: Actor): boolean {
  return actorId === null ? isLocalOwner(actor) : actorId === personOf(actor);
}

export function noComment(id: string): Result<never> {
  return fail('not_found', `There is no comment ${id} on this lesson.`);
}
