import { describe, expect, test } from 'vitest';
import { isToReview, lessonAfter, reviewCounts, subtractDecided } from './review-queue.ts';

const ids = ['a', 'b', 'c'];

describe('review queue', () => {
  test.each([
    { from: 'a', next: 'b' },
    { from: 'c', next: 'a' },
    { from: null, next: 'a' },
    { from: 'gone', next: 'a' },
  ])('the next lesson after $from is $next', ({ from, next }) => {
    expect(lessonAfter(ids, from)).toBe(next);
  });

  test('returns null if no other lesson is left', () => {
    expect(lessonAfter(['a'], 'a')).toBeNull();
    expect(lessonAfter([], 'a')).toBeNull();
  });

  test('subtracts decided lessons from the count', () => {
    const decided = [
      { id: 'a', admission: 'held' },
      { id: 'b', admission: 'admitted' },
      { id: 'c', admission: 'admitted' },
    ] as const;
    const counts = reviewCounts(decided, { assigned: new Set(['a', 'gone']), contested: new Set(['b', 'c']) });
    expect(counts).toEqual({ all: 3, held: 1, clear: 2, contested: 2, assigned: 1 });
    expect(subtractDecided({ all: 3_000, held: 1_000, clear: 2_000, contested: 3, assigned: 0 }, counts)).toEqual({
      ...{ all: 2_997, held: 999, clear: 1_998, contested: 1, assigned: 0 },
    });
  });

  test.each([
    { status: 'quarantined', admission: 'admitted', waits: true },
    { status: 'quarantined', admission: 'held', waits: true },
    { status: 'candidate', admission: 'held', waits: true },
    { status: 'candidate', admission: 'staged', waits: false },
    { status: 'promoted', admission: 'held', waits: false },
  ] as const)('a $status lesson that is $admission needs review: $waits', ({ waits, ...lesson }) => {
    expect(isToReview(lesson)).toBe(waits);
  });
});
