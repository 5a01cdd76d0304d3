import type pg from 'pg';
import { cleanText } from '#lib/database/clean-text.ts';
import type { Database } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';

/** A comment as those need it who change it; `actorId` is null for those from before it was kept. */
export type StoredComment = { id: string; lessonId: string; actor: string; actorId: string | null; createdAt: string };

/** Keeps a comment; false where there is no such lesson. */
export async function addComment(
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
export async function findComment(
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
export async function updateComment(
  transaction: Prisma.TransactionClient,
  { id, text }: { id: string; text: string },
): Promise<boolean> {
  const { count } = await transaction.lessonComment.updateMany({ where: { id }, data: { text: cleanText(text) } });
  return count === 1;
}

/** Deletes a comment; false where it was gone already. */
export async function deleteCommentRow(transaction: Prisma.TransactionClient, id: string): Promise<boolean> {
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
