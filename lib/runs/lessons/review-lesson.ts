import { inTransaction } from '#lib/db/in-transaction.ts';
import { addReview } from '#lib/db/lesson-changes.ts';
import { type LoadedLesson, loadLesson } from '#lib/db/load-lesson.ts';
import { renewSources } from '#lib/db/renew-sources.ts';
import type { LessonStatus } from '#lib/reflection/lesson-kinds.ts';
import type { LessonAdmission } from '#lib/reflection/lesson-library.ts';
import { verdictOn } from '#lib/reflection/lesson-verdict.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { isLocalOwner } from '#lib/team/local-owner.ts';
import { parseInput } from '../parse-input.ts';
import type { Workshop } from '../workshop.ts';
import { lessonReviewSchema } from './lesson-input.ts';

export type ReviewedLesson = { id: string; status: LessonStatus; admission: LessonAdmission };

/**
 * Gives a person's verdict on a lesson (`lessonReviewSchema`). Of two at once the first one stands, and the other is told of it. A
 * lesson that is not promoted any more is out of every prompt from then on.
 */
export async function reviewLesson(
  { database, now }: Workshop,
  actor: Actor,
  lessonId: string,
  input: unknown,
): Promise<Result<ReviewedLesson>> {
  const parsed = parseInput(lessonReviewSchema, input);
  if (!parsed.ok) return parsed;
  const { verdict, reason, seen } = parsed.value;
  let left: string | null = null;
  const result = await inTransaction(database, async (client): Promise<Result<ReviewedLesson>> => {
    const lesson = await loadLesson(client, lessonId, { lock: true });
    if (lesson === null) return noLesson(lessonId);
    const judged = verdictOn(lesson, { verdict, reason, seen, isOwn: isOwnWork(lesson, actor) });
    if (!judged.ok) return judged;
    const review = { lessonId, number: lesson.reviewCount, actor: actor.name, at: now(), verdict, reason };
    await addReview(client, review, judged.value);
    left = lesson.mergedIntoId;
    return succeed({ id: lessonId, ...judged.value });
  });
  if (left !== null) await renewSources(database, left);
  return result;
}

export function noLesson(lessonId: string): Result<never> {
  return fail('not_found', `There is no lesson ${lessonId}.`);
}

/** Whether somebody wrote or edited a lesson, where there are others who could judge it. */
function isOwnWork({ authorId, editors }: LoadedLesson, actor: Actor): boolean {
  if (isLocalOwner(actor)) return false;
  return authorId === actor.id || editors.some(({ actorId }) => actorId === actor.id);
}
