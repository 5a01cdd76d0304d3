import type { LessonListItem } from '#lib/core/lesson-library.ts';
import type { LessonFilter } from '#lib/core/lesson-schema.ts';

/** Number of lessons loaded at a time. */
export const REVIEW_PAGE = 25;

export const REVIEW_PARTS = ['all', 'held', 'clear', 'contested', 'assigned'] as const;
/**
 * Part of the review queue: lessons with screening findings, without findings, with contradicting votes, or assigned to the current user.
 */
export type ReviewPart = (typeof REVIEW_PARTS)[number];
export type ReviewCounts = Record<ReviewPart, number>;

/** Returns the selection of lessons of a part. */
export function reviewSelection(part: ReviewPart): LessonFilter['only'] {
  return part === 'all' ? 'review' : part;
}

/** Lesson ids of the parts that cannot be derived from a lesson. */
export type ReviewMarks = Record<'contested' | 'assigned', ReadonlySet<string>>;

/** Counts the given lessons by part. */
export function reviewCounts(
  lessons: readonly Pick<LessonListItem, 'id' | 'admission'>[],
  marks: ReviewMarks,
): ReviewCounts {
  const heldCount = lessons.filter(({ admission }) => admission === 'held').length;
  const marked = (part: keyof ReviewMarks) => lessons.filter(({ id }) => marks[part].has(id)).length;
  return {
    ...{ all: lessons.length, held: heldCount, clear: lessons.length - heldCount },
    ...{ contested: marked('contested'), assigned: marked('assigned') },
  };
}

/** Subtracts decided lessons from the counts of a queue. */
export function subtractDecided(counts: ReviewCounts, decided: ReviewCounts): ReviewCounts {
  const left = (part: ReviewPart) => Math.max(0, counts[part] - decided[part]);
  return {
    ...{ all: left('all'), held: left('held'), clear: left('clear') },
    ...{ contested: left('contested'), assigned: left('assigned') },
  };
}

/** True if a lesson waits for review. */
export function isToReview({ status, admission }: Pick<LessonListItem, 'status' | 'admission'>): boolean {
  return status === 'quarantined' || (status === 'candidate' && admission === 'held');
}

/** Returns the lesson after another one, wrapping around at the end. Null if there is no other. */
export function lessonAfter(ids: readonly string[], from: string | null): string | null {
  const index = from === null ? -1 : ids.indexOf(from);
  const next = ids[index + 1] ?? ids[0] ?? null;
  return next === from ? null : next;
}
