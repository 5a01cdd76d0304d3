import type { LessonListItem } from '#lib/reflection/lesson-library.ts';

export const REVIEW_PARTS = ['all', 'held', 'clear'] as const;
/** Which lessons of the queue are listed: those the screening found something in, or those it did not. */
export type ReviewPart = (typeof REVIEW_PARTS)[number];

/** How many lessons of a queue each part lists. */
export function reviewCounts(queue: readonly Pick<LessonListItem, 'admission'>[]): Record<ReviewPart, number> {
  const held = queue.filter(({ admission }) => admission === 'held').length;
  return { all: queue.length, held, clear: queue.length - held };
}

/** Whether a part of the queue lists a lesson. */
export function isInPart(lesson: Pick<LessonListItem, 'admission'>, part: ReviewPart): boolean {
  return part === 'all' || (lesson.admission === 'held') === (part === 'held');
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
