import { z } from 'zod';
import { OPINIONS, type Opinion } from '#lib/assignments/schema.ts';
import type { Queryable } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';

/** What somebody thinks of a lesson as it was after `edit` edits. */
export type NewOpinion = {
  lessonId: string;
  edit: number;
  actorId: string;
  actor: string;
  verdict: Opinion;
  reason: string | null;
  at: Date;
};

const opinionRow = z
  .object({
    actorId: z.string(),
    actor: z.string(),
    verdict: z.enum(OPINIONS),
    reason: z.string().nullable(),
    createdAt: z.date(),
    editCount: z.int(),
  })
  .transform((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));

export type StoredOpinion = z.output<typeof opinionRow>;

/** What people think of a lesson as it was after `edit` edits, and of its older texts, in the order in which they said so. */
export async function listOpinions(
  connection: Queryable,
  { lessonId, edit }: { lessonId: string; edit: number },
): Promise<{ present: StoredOpinion[]; older: StoredOpinion[] }> {
  const { rows } = await connection.query<Record<string, unknown>>(
    `SELECT actor_id AS "actorId", actor, verdict, reason, created_at AS "createdAt", edit AS "editCount" FROM lesson_opinions
     WHERE lesson_id = $1 ORDER BY edit, created_at, actor_id`,
    [lessonId],
  );
  const all = z.array(opinionRow).parse(rows);
  return {
    present: all.filter(({ editCount }) => editCount === edit),
    older: all.filter(({ editCount }) => editCount < edit),
  };
}

/** Keeps an opinion; false where the person has one on this text already. */
export async function insertOpinion(connection: Queryable, opinion: NewOpinion): Promise<boolean> {
  const { lessonId, edit, actorId, actor, verdict, reason, at } = opinion;
  const { rowCount } = await connection.query(
    `INSERT INTO lesson_opinions (lesson_id, edit, actor_id, actor, verdict, reason, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    [lessonId, edit, actorId, cleanText(actor), verdict, reason === null ? null : cleanText(reason), at],
  );
  return rowCount === 1;
}
