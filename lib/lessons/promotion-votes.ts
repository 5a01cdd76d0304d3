import { listDeciders } from '#lib/assignments/queries.ts';
import type { PendingPromotion } from '#lib/assignments/schema.ts';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { isLocalOwner } from '#lib/auth/local-owner.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { formatList, formatNumberOf } from '#lib/format.ts';
import { requiresTwoPeople } from '#lib/settings/two-person-review.ts';
import type { LoadedLesson } from './load-lesson.ts';
import { formatPersonNames, insertOpinion, listOpinions } from './own-contributions.ts';

type Voted = { verdict: 'promote' | 'reject'; reason: string; at: Date };

/**
 * Counts a decision as the person's vote on the current text. Returns false if they voted before, because the first vote is final. Without
 * a team, no vote is recorded.
 */
export async function countAsVote(
  transaction: Transaction,
  actor: Actor,
  { id: lessonId, editCount: edit }: Pick<LoadedLesson, 'id' | 'editCount'>,
  { verdict, reason, at }: Voted,
): Promise<boolean> {
  if (isLocalOwner(actor)) return false;
  const vote = { lessonId, edit, actorId: personOf(actor), actor: actor.name, verdict, at };
  return insertOpinion(transaction, { ...vote, reason: reason === '' ? null : reason });
}

/**
 * Returns the missing condition for a promotion by this person, or null. If there are more votes against it than they have seen, they must
 * confirm it. If two people must agree, another eligible reviewer must have voted for it.
 */
export async function findPending(
  transaction: Transaction,
  actor: Actor,
  { id: lessonId, editCount: edit }: Pick<LoadedLesson, 'id' | 'editCount'>,
  objectionsSeen: number,
): Promise<PendingPromotion | null> {
  if (isLocalOwner(actor)) return null;
  const person = personOf(actor);
  const votes = (await listOpinions(transaction, { lessonId, edit })).present.filter(
    ({ actorId }) => actorId !== person,
  );
  const objections = votes
    .filter(({ verdict }) => verdict === 'reject')
    .map(({ actorId: _id, ...vote }) => ({ ...vote, isMine: false }));
  if (objections.length > objectionsSeen)
    return {
      why: 'objections',
      message: `${formatPersonNames(objections.map(({ actor: name }) => name))} voted against it. Confirm to promote it anyway.`,
      objections,
    };
  if (!(await requiresTwoPeople(transaction))) return null;
  const others = await listDeciders(transaction, [person]);
  const isSeconded = votes.some(
    ({ actorId, verdict }) => verdict === 'promote' && others.some(({ memberId }) => memberId === actorId),
  );
  if (isSeconded) return null;
  return { why: 'second_person', message: secondPersonMessage(others.map(({ name }) => name)), objections };
}

function secondPersonMessage(others: string[]): string {
  return others.length === 0
    ? 'Your vote is stored. Two people must agree, and there is no other reviewer. Invite a reviewer, or turn the rule off in Settings.'
    : `Your vote is stored. Two people must agree: ${others.length > 3 ? `one of ${formatNumberOf(others.length, 'other reviewer')}` : formatList(others).replace(' and ', ' or ')} must promote it too.`;
}
