import type { LessonListItem } from '#lib/reflection/lesson-library.ts';

export const REVIEW_PARTS = ['all', 'held', 'clear', 'assigned'] as const;
/** Which lessons of the queue are listed: those the screening found something in, those it did not, or those one was asked to look at. */
export type ReviewPart = (typeof REVIEW_PARTS)[number];

/** How many lessons of a queue each part lists. */
export function reviewCounts(
  queue: readonly Pick<LessonListItem, 'id' | 'admission'>[],
  assigned: ReadonlySet<string>,
): Record<ReviewPart, number> {
  const held = queue.filter(({ admission }) => admission === 'held').length;
  const ofMine = queue.filter(({ id }) => assigned.has(id)).length;
  return { all: queue.length, held, clear: queue.length - held, assigned: ofMine };
}

/** Whether a part of the queue lists a lesson. `assigned`: the ids of those one was asked to look at. */
export function isInPart(
  { id, admission }: Pick<LessonListItem, 'id' | 'admission'>,
  part: ReviewPart,
  assigned: ReadonlySet<string>,
): boolean {
  switch (part) {
    case 'all':
      return true;
    case 'held':
      return admission === 'held';
    case 'clear':
      return admission !== 'held';
    case 'assigned':
      return assigned.has(id);
  }
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
