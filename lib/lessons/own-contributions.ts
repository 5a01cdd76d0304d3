import { z } from 'zod';
import { listDeciders } from '#lib/assignments/queries.ts';
import { OPINIONS, type Opinion } from '#lib/assignments/schema.ts';
import type { ContributionKind } from '#lib/audit/contributions.ts';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { isLocalOwner } from '#lib/auth/local-owner.ts';
import { cleanText } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { formatList } from '#lib/format.ts';
import type { LoadedLesson } from './load-lesson.ts';

type Authored = Pick<LoadedLesson, 'authorId' | 'authors' | 'editors'>;
type Part = ContributionKind | 'author' | 'editor';

/** What somebody did who had a part in a lesson, in words that follow their name. */
export const PART_LABELS: Record<Part, string> = {
  author: 'wrote this lesson',
  editor: 'edited this lesson',
  experiment: 'wrote settings of the experiment that this lesson comes from',
  run: 'decided in the run that wrote this lesson',
  batch: 'started the run that wrote this lesson',
  dataset: 'wrote cases of the dataset that this lesson comes from',
  provider: 'set up a model server that the run of this lesson used',
  webhook: 'set up a webhook that the run of this lesson used',
  mcp_server: 'set up a tool server that the run of this lesson used',
};

/** Names of people that are told at most. */
const MOST_NAMED = 5;

/** By what somebody had a part in the words of a lesson, by the id of `personOf`; null where they had none. */
export function partIn({ authorId, authors, editors }: Authored, person: string): Part | null {
  if (authorId === person) return 'author';
  if (editors.some(({ actorId }) => actorId === person)) return 'editor';
  return authors[person] ?? null;
}

/** Everybody who had a part in the words of a lesson, by the ids of `personOf`. */
export function peopleOf({ authorId, authors, editors }: Authored): string[] {
  return [...new Set([authorId, ...editors.map(({ actorId }) => actorId), ...Object.keys(authors)])].flatMap(
    (id) => id ?? [],
  );
}

/** What somebody did who must leave a lesson to others, where there are others; null where they may judge it. */
export async function findOwnPart(
  client: Transaction,
  lesson: Authored,
  actor: Actor,
): Promise<{ part: Part; others: string[] } | null> {
  const part = isLocalOwner(actor) ? null : partIn(lesson, personOf(actor));
  if (part === null) return null;
  const others = await listDeciders(client, [...peopleOf(lesson), personOf(actor)]);
  return { part, others: others.map(({ name }) => name) };
}

/**
 * Why somebody may not promote a lesson: nobody promotes alone what they had a part in. Where everybody had one, another one of them must
 * have said that they would promote the present text. Null where they may, as the only person there is always may.
 */
export async function refusePromotion(
  client: Transaction,
  lesson: Authored & Pick<LoadedLesson, 'id' | 'editCount'>,
  actor: Actor,
): Promise<string | null> {
  const own = await findOwnPart(client, lesson, actor);
  if (own === null) return null;
  const did = `You ${PART_LABELS[own.part]}, so someone else must promote it.`;
  if (own.others.length > 0) return `${did} ${named(own.others)} can. You can comment on it.`;
  const fellows = await listDeciders(client, [personOf(actor)]);
  if (fellows.length === 0) return null;
  const { present } = await listOpinions(client, { lessonId: lesson.id, edit: lesson.editCount });
  const isSeconded = present.some(
    ({ actorId, verdict }) => verdict === 'promote' && fellows.some(({ memberId }) => memberId === actorId),
  );
  if (isSeconded) return null;
  const names = named(fellows.map(({ name }) => name));
  return `${did} Everyone who could promote it contributed to it. You can promote it once ${names} voted for this text.`;
}

/** Names in a sentence, the rest of many as a number. */
export function named(names: string[]): string {
  const rest = names.length - MOST_NAMED;
  return formatList(rest > 0 ? [...names.slice(0, MOST_NAMED), `${rest} more`] : names);
}

/** What somebody thinks of a lesson as it was after `edit` edits. */
type NewOpinion = {
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
