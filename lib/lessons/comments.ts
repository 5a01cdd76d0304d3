import type pg from 'pg';
import type { Actor } from '#lib/auth/authorize.ts';
import { isLocalOwner } from '#lib/auth/local-owner.ts';
import { personOf } from '#lib/auth/person-of.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { LessonComment } from '#lib/core/lesson-library.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { lessonCommentSchema } from './lesson-input.ts';
import { noLesson } from './review-lesson.ts';

/** A comment as those need it who change it; `actorId` is null for those from before it was kept. */
type StoredComment = { id: string; lessonId: string; actor: string; actorId: string | null; createdAt: string };

/** Keeps a comment; false where there is no such lesson. */
async function addComment(
  client: pg.PoolClient,
  comment: { id: string; lessonId: string; actor: string; actorId: string; text: string; at: Date },
): Promise<boolean> {
  const { id, lessonId, actor, actorId, text, at } = comment;
  const { rowCount } = await client.query(
    'INSERT INTO lesson_comments (id, lesson_id, actor, actor_id, text, created_at) SELECT $1, id, $3, $4, $5, $6 FROM lessons WHERE id = $2',
    [id, lessonId, actor, actorId, cleanText(text), at],
  );
  return rowCount === 1;
}

/** A comment on a lesson; null where there is none of this id on it. */
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

/** Puts another text in the place of a comment's; false where it was deleted meanwhile. */
async function updateComment(
  transaction: Prisma.TransactionClient,
  { id, text }: { id: string; text: string },
): Promise<boolean> {
  const { count } = await transaction.lessonComment.updateMany({ where: { id }, data: { text: cleanText(text) } });
  return count === 1;
}

/** Deletes a comment; false where it was gone already. */
async function deleteCommentRow(transaction: Prisma.TransactionClient, id: string): Promise<boolean> {
  const { count } = await transaction.lessonComment.deleteMany({ where: { id } });
  return count === 1;
}

/** The ids of a person's comments on a lesson; `orUnknown`: also those whose writer was not kept. */
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

/** Keeps what a person has to say of a lesson (`lessonCommentSchema`), whatever state it is in. */
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
  const stored = { ...comment, actorId: personOf(actor), lessonId, at };
  return inPoolTransaction(context.database, async (client): Promise<Result<LessonComment>> => {
    if (!(await addComment(client, stored))) return noLesson(lessonId);
    await recordChange(client, actor, { act: 'commented', subject: { kind: 'lesson', id: lessonId } });
    return succeed({ ...comment, createdAt: at.toISOString() });
  });
}

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
function isOwnComment({ actorId }: Pick<StoredComment, 'actorId'>, actor: Actor): boolean {
  return actorId === null ? isLocalOwner(actor) : actorId === personOf(actor);
}

function noComment(id: string): Result<never> {
  return fail('not_found', `There is no comment ${id} on this lesson.`);
}

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
