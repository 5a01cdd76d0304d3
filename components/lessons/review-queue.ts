import type { LessonFilter, LessonListItem } from '#lib/core/lesson-library.ts';

/** Lessons that are read at once. */
export const REVIEW_PAGE = 25;

export const REVIEW_PARTS = ['all', 'held', 'clear', 'contested', 'assigned'] as const;
/** Which lessons of the queue are listed: those the screening found something in, those it did not, those reviewers disagree on, or those one was asked to look at. */
export type ReviewPart = (typeof REVIEW_PARTS)[number];
export type ReviewCounts = Record<ReviewPart, number>;

/** What a part is among the selections of lessons. */
export const REVIEW_SELECTIONS = {
  all: 'review',
  held: 'held',
  clear: 'clear',
  contested: 'contested',
  assigned: 'assigned',
} satisfies Record<ReviewPart, LessonFilter['only']>;

/** The lessons of the parts that a lesson itself does not tell. */
export type ReviewMarks = Record<'contested' | 'assigned', ReadonlySet<string>>;

/** How many of some lessons each part lists. */
export function reviewCounts(
  lessons: readonly Pick<LessonListItem, 'id' | 'admission'>[],
  marks: ReviewMarks,
): ReviewCounts {
  const held = lessons.filter(({ admission }) => admission === 'held').length;
  const marked = (part: keyof ReviewMarks) => lessons.filter(({ id }) => marks[part].has(id)).length;
  return {
    ...{ all: lessons.length, held, clear: lessons.length - held },
    ...{ contested: marked('contested'), assigned: marked('assigned') },
  };
}

/** What is left of the counts of a queue once some of its lessons were decided on. */
export function countsLeft(counts: ReviewCounts, decided: ReviewCounts): ReviewCounts {
  const left = (part: ReviewPart) => Math.max(0, counts[part] - decided[part]);
  return {
    ...{ all: left('all'), held: left('held'), clear: left('clear') },
    ...{ contested: left('contested'), assigned: left('assigned') },
  };
}

/** Whether a lesson waits for a review. */
export function isToReview({ status, admission }: Pick<LessonListItem, 'status' | 'admission'>): boolean {
  return status === 'quarantined' || (status === 'candidate' && admission === 'held');
}

/** The lesson that comes after another, from the top after the last; null where there is no other. */
export function lessonAfter(ids: readonly string[], from: string | null): string | null {
  const place = from === null ? -1 : ids.indexOf(from);
  const next = ids[place + 1] ?? ids[0] ?? null;
  return next === from ? null : next;
}

/** The lesson a step up or down the list; null at its ends. Where the one before is not listed, the first. */
export function lessonBeside(ids: readonly string[], from: string | null, step: 1 | -1): string | null {
  const place = from === null ? -1 : ids.indexOf(from);
  return ids[place === -1 ? 0 : place + step] ?? null;
}
