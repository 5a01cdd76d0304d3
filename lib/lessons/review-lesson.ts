import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { LessonStatus } from '#lib/core/lesson-kinds.ts';
import type { LessonAdmission } from '#lib/core/lesson-library.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { formatMoment, formatTitle } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { addReview } from './lesson-changes.ts';
import { lessonReviewSchema } from './lesson-input.ts';
import { verdictOn } from './lesson-review.ts';
import { loadLesson } from './load-lesson.ts';
import { refusePromotion } from './own-contributions.ts';
import { renewSources } from './renew-sources.ts';

export type ReviewedLesson = { id: string; status: LessonStatus; admission: LessonAdmission };

/**
 * Gives a person's verdict on a lesson (`lessonReviewSchema`). Of two at once the first one stands, and the other is told of it. A
 * lesson that is not promoted any more is out of every prompt from then on.
 */
export async function reviewLesson(
  { database, now }: AppContext,
  actor: Actor,
  lessonId: string,
  input: unknown,
): Promise<Result<ReviewedLesson>> {
  const parsed = parseInput(lessonReviewSchema, input);
  if (!parsed.ok) return parsed;
  const { verdict, reason, seen, editCount } = parsed.value;
  // Lessons whose merged ones may count otherwise now.
  let changed: string[] = [];
  const result = await inTransaction(database, async (client): Promise<Result<ReviewedLesson>> => {
    const lesson = await loadLesson(client, lessonId, { lock: true });
    if (lesson === null) return noLesson(lessonId);
    const mayNot = verdict === 'promote' ? await refusePromotion(client, lesson, actor) : null;
    const reviewedAt = lesson.reviewedAt === null ? null : formatMoment(lesson.reviewedAt);
    const editedBy = lesson.editors.at(-1)?.actor ?? null;
    const judged = verdictOn({ ...lesson, reviewedAt, editedBy }, { verdict, reason, seen, editCount, mayNot });
    const subject = { kind: 'lesson', id: lessonId, name: formatTitle(lesson.text, 80) } as const;
    if (!judged.ok) {
      const change = { verdict, why: 'own work' };
      if (judged.problem.code === 'forbidden')
        await recordChange(client, actor, { act: 'reviewed', subject, change, outcome: 'refused' });
      return judged;
    }
    const review = {
      lessonId,
      number: lesson.reviewCount,
      actor: actor.name,
      actorId: personOf(actor),
      at: now(),
      verdict,
      reason,
    };
    await addReview(client, review, judged.value);
    await recordChange(client, actor, { act: 'reviewed', subject, change: { verdict, reason } });
    changed = [lessonId, ...(lesson.mergedIntoId === null ? [] : [lesson.mergedIntoId])];
    return succeed({ id: lessonId, ...judged.value });
  });
  for (const id of changed) await renewSources(database, id);
  return result;
}

export function noLesson(lessonId: string): Result<never> {
  return fail('not_found', `There is no lesson ${lessonId}.`);
}
