import { z } from 'zod';
import { listDeciders, OPINIONS, type Opinion } from '#lib/assignments/queries.ts';
import type { ContributionKind } from '#lib/audit/queries.ts';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { isLocalOwner } from '#lib/auth/mode.ts';
import { cleanText, withIsoTimes } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { formatList } from '#lib/format.ts';
import type { LoadedLesson } from './load-lesson.ts';

type Authored = Pick<LoadedLesson, 'authorId' | 'authors' | 'editors'>;
type Part = ContributionKind | 'author' | 'editor';

/** Descriptions of contributions to a lesson, to follow a person's name. */
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

/** Maximum number of people listed by name. */
const MAX_NAMED = 5;

/** Returns the contribution of a person to the text of a lesson, by the id of `personOf`. Null if there is none. */
export function partIn({ authorId, authors, editors }: Authored, person: string): Part | null {
  if (authorId === person) return 'author';
  if (editors.some(({ actorId }) => actorId === person)) return 'editor';
  return authors[person] ?? null;
}

/** Returns all contributors to the text of a lesson, by the ids of `personOf`. */
export function peopleOf({ authorId, authors, editors }: Authored): string[] {
  return [...new Set([authorId, ...editors.map(({ actorId }) => actorId), ...Object.keys(authors)])].flatMap(
    (id) => id ?? [],
  );
}

/** Returns the actor's contribution to a lesson and the other people who can decide. Null if the actor did not contribute. */
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
 * Returns why the actor may not promote a lesson. Contributors cannot promote it alone. If all members contributed, another one must have
 * voted to promote the current text. Null if the actor may promote it, which includes a sole user.
 */
export async function refusePromotion(
  client: Transaction,
  lesson: Authored & Pick<LoadedLesson, 'id' | 'editCount'>,
  actor: Actor,
): Promise<string | null> {
  const contribution = await findOwnPart(client, lesson, actor);
  if (contribution === null) return null;
  const did = `You ${PART_LABELS[contribution.part]}, so someone else must promote it.`;
  if (contribution.others.length > 0)
    return `${did} ${formatPersonNames(contribution.others)} can. You can comment on it.`;
  const deciders = await listDeciders(client, [personOf(actor)]);
  if (deciders.length === 0) return null;
  const { present } = await listOpinions(client, { lessonId: lesson.id, edit: lesson.editCount });
  const isSeconded = present.some(
    ({ actorId, verdict }) => verdict === 'promote' && deciders.some(({ memberId }) => memberId === actorId),
  );
  if (isSeconded) return null;
  const names = formatPersonNames(deciders.map(({ name }) => name));
  return `${did} Everyone who could promote it contributed to it. You can promote it once ${names} voted for this text.`;
}

/** Lists names in a sentence, with the number of those beyond the limit. */
export function formatPersonNames(names: string[]): string {
  const rest = names.length - MAX_NAMED;
  return formatList(rest > 0 ? [...names.slice(0, MAX_NAMED), `${rest} more`] : names);
}

/** A vote on a lesson in its state after `edit` edits. */
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

/** Returns the votes on a lesson in its state after `edit` edits, and on its older texts, in chronological order. */
export async function listOpinions(
  client: Transaction,
  { lessonId, edit }: { lessonId: string; edit: number },
): Promise<{ present: StoredOpinion[]; older: StoredOpinion[] }> {
  const rows = await client.lessonOpinion.findMany({
    where: { lessonId },
    orderBy: [{ edit: 'asc' }, { createdAt: 'asc' }, { actorId: 'asc' }],
  });
  const all = rows.map(withIsoTimes).map(({ lessonId: _lesson, edit: editCount, verdict, ...row }): StoredOpinion => {
    return { ...row, verdict: z.enum(OPINIONS).parse(verdict), editCount };
  });
  return {
    present: all.filter(({ editCount }) => editCount === edit),
    older: all.filter(({ editCount }) => editCount < edit),
  };
}

/** Stores a vote. Returns false if the person has already voted on this text. */
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
