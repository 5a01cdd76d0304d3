import { z } from 'zod';
import { OPINIONS, type Opinion } from '#lib/assignments/schema.ts';
import { cleanText } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';

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

export type StoredOpinion = Pick<NewOpinion, 'actorId' | 'actor' | 'verdict' | 'reason'> & {
  createdAt: string;
  editCount: number;
};

/** What people think of a lesson as it was after `edit` edits, and of its older texts, in the order in which they said so. */
export async function listOpinions(
  client: Transaction,
  { lessonId, edit }: { lessonId: string; edit: number },
): Promise<{ present: StoredOpinion[]; older: StoredOpinion[] }> {
  const rows = await client.lessonOpinion.findMany({
    where: { lessonId },
    orderBy: [{ edit: 'asc' }, { createdAt: 'asc' }, { actorId: 'asc' }],
  });
  const all = rows.map(({ actorId, actor, verdict, reason, createdAt, edit: editCount }): StoredOpinion => {
    return {
      actorId,
      actor,
      verdict: z.enum(OPINIONS).parse(verdict),
      reason,
      createdAt: createdAt.toISOString(),
      editCount,
    };
  });
  return {
    present: all.filter(({ editCount }) => editCount === edit),
    older: all.filter(({ editCount }) => editCount < edit),
  };
}

/** Keeps an opinion; false where the person has one on this text already. */
export async function insertOpinion(client: Transaction, { at, ...opinion }: NewOpinion): Promise<boolean> {
  const { actor, reason } = opinion;
  const data = {
    ...opinion,
    actor: cleanText(actor),
    reason: reason === null ? null : cleanText(reason),
    createdAt: at,
  };
  const { count } = await client.lessonOpinion.createMany({ data, skipDuplicates: true });
  return count === 1;
}
