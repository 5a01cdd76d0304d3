import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { isOwnComment, noComment } from './edit-comment.ts';
import { deleteCommentRow, findComment } from './lesson-comments.ts';

/** Deletes a comment on a lesson for good: its writer may, and an owner. */
export async function deleteComment(
  { database }: Pick<AppContext, 'database'>,
  actor: Actor,
  at: { lessonId: string; id: string },
): Promise<Result<{ deleted: { comments: number } }>> {
  const comment = await findComment(database, at);
  if (comment === null) return noComment(at.id);
  if (!isOwnComment(comment, actor) && actor.role !== 'owner')
    return fail('forbidden', `Only ${comment.actor}, who wrote this comment, or an owner can delete it.`);
  return database.prisma.$transaction(async (transaction) => {
    if (!(await deleteCommentRow(transaction, at.id))) return noComment(at.id);
    await recordChange(transaction, actor, {
      act: 'deleted_comment',
      subject: { kind: 'lesson', id: at.lessonId },
      change: { by: comment.actor },
    });
    return succeed({ deleted: { comments: 1 } });
  });
}
