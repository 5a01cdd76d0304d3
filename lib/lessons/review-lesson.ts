import { listDeciders, type PendingPromotion } from '#lib/assignments/queries.ts';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { isLocalOwner } from '#lib/auth/mode.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { LessonAdmission, LessonStatus, LessonVerdict } from '#lib/core/lesson-schema.ts';
import { notStored, type Result, succeed } from '#lib/core/problem.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { formatList, formatMoment, formatNumberOf, formatTitle } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { requiresTwoPeople } from '#lib/settings/two-person-review.ts';
import { formatPersonNames, insertOpinion, listOpinions, refusePromotion } from './contributions.ts';
import { type LoadedLesson, loadLesson } from './load-lesson.ts';
import { applyVerdict } from './review-status.ts';
import { lessonReviewSchema } from './schema.ts';
import { renewSources } from './write-queries.ts';

export type ReviewedLesson = { id: string; status: LessonStatus; admission: LessonAdmission };
/** `pending` is the reason why the requested promotion is not done yet. */
export type GivenReview = ReviewedLesson & { pending: PendingPromotion | null };

/**
 * Saves a person's verdict on a lesson (`lessonReviewSchema`). Of two concurrent verdicts the first is kept, and the second caller gets a
 * conflict. A lesson that is no longer promoted is left out of every later prompt. A promotion or rejection is also a vote. A promotion
 * with objections, or one that needs a second person's agreement, stays pending with the vote stored.
 */
export async function reviewLesson(
  { database, now }: AppContext,
  actor: Actor,
  lessonId: string,
  input: unknown,
): Promise<Result<GivenReview>> {
  const parsed = parseInput(lessonReviewSchema, input);
  if (!parsed.ok) return parsed;
  const { verdict, reason, seen, editCount, objectionsSeen } = parsed.value;
  // Lessons whose counts of merged lessons may have changed.
  let changed: string[] = [];
  const result = await inTransaction(database, async (transaction): Promise<Result<GivenReview>> => {
    const lesson = await loadLesson(transaction, lessonId, { lock: true });
    if (lesson === null) return notStored('lesson', lessonId);
    const mayNot = verdict === 'promote' ? await refusePromotion(transaction, lesson, actor) : null;
    const judged = applyVerdict(reviewedLesson(lesson), { verdict, reason, seen, editCount, mayNot });
    const subject = { kind: 'lesson', id: lessonId, name: formatTitle(lesson.text, 80) } as const;
    if (!judged.ok) {
      const change = { verdict, why: 'own work' };
      if (judged.problem.code === 'forbidden')
        await recordChange(transaction, actor, { act: 'reviewed', subject, change, outcome: 'refused' });
      return judged;
    }
    const at = now();
    const isFirst = await countAsVote(transaction, actor, lesson, { verdict, reason, at });
    const pending = verdict === 'promote' ? await findPending(transaction, actor, lesson, objectionsSeen) : null;
    if (pending !== null) {
      if (isFirst) await recordChange(transaction, actor, { act: 'judged', subject });
      const { status, admission } = lesson;
      return succeed({ id: lessonId, status, admission, pending });
    }
    const who = { actor: actor.name, actorId: personOf(actor) };
    await transaction.lessonReview.create({
      data: { lessonId, number: lesson.reviewCount, ...who, verdict, reason: cleanText(reason), createdAt: at },
    });
    // A merged lesson is separated from the one it was merged into.
    const data = { ...judged.value, reviewedBy: actor.name, reviewedAt: at, mergedIntoId: null };
    await transaction.lesson.updateMany({ where: { id: lessonId }, data });
    await recordChange(transaction, actor, { act: 'reviewed', subject, change: { verdict, reason } });
    changed = [lessonId, ...(lesson.mergedIntoId === null ? [] : [lesson.mergedIntoId])];
    return succeed({ id: lessonId, ...judged.value, pending: null });
  });
  for (const id of changed) await renewSources(database, id);
  return result;
}

function reviewedLesson(lesson: LoadedLesson) {
  const reviewedAt = lesson.reviewedAt === null ? null : formatMoment(lesson.reviewedAt);
  return { ...lesson, reviewedAt, editedBy: lesson.editors.at(-1)?.actor ?? null };
}

/**
 * Counts a promotion or rejection as the person's vote on the current text. Returns false if they voted before, because the first vote is
 * final. Without a team, no vote is recorded.
 */
async function countAsVote(
  transaction: Transaction,
  actor: Actor,
  { id: lessonId, editCount: edit }: Pick<LoadedLesson, 'id' | 'editCount'>,
  { verdict, reason, at }: { verdict: LessonVerdict; reason: string; at: Date },
): Promise<boolean> {
  if (isLocalOwner(actor) || (verdict !== 'promote' && verdict !== 'reject')) return false;
  const vote = { lessonId, edit, actorId: personOf(actor), actor: actor.name, verdict, at };
  return insertOpinion(transaction, { ...vote, reason: reason === '' ? null : reason });
}

/**
 * Returns the missing condition for a promotion by this person, or null. If there are more votes against it than they have seen, they must
 * confirm it. If two people must agree, another eligible reviewer must have voted for it.
 */
async function findPending(
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
