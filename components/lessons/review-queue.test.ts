import { describe, expect, test } from 'vitest';
import { isInPart, lessonAfter, lessonBeside, REVIEW_PARTS, reviewCounts } from './review-queue.ts';

const ids = ['a', 'b', 'c'];

describe('the queue of reviews', () => {
  test.each([
    { from: 'a', next: 'b' },
    { from: 'c', next: 'a' },
    { from: null, next: 'a' },
    { from: 'gone', next: 'a' },
  ])('after $from comes $next', ({ from, next }) => {
    expect(lessonAfter(ids, from)).toBe(next);
  });

  test('after the only one comes none', () => {
    expect(lessonAfter(['a'], 'a')).toBeNull();
    expect(lessonAfter([], 'a')).toBeNull();
  });

  test.each([
    { from: 'a', step: -1, beside: null },
    { from: 'a', step: 1, beside: 'b' },
    { from: 'c', step: 1, beside: null },
    { from: 'gone', step: -1, beside: 'a' },
  ] as const)('$step from $from is $beside', ({ from, step, beside }) => {
    expect(lessonBeside(ids, from, step)).toBe(beside);
  });

  test('parts and their counts', () => {
    const queue = [
      { id: 'a', admission: 'held' },
      { id: 'b', admission: 'admitted' },
      { id: 'c', admission: 'admitted' },
    ] as const;
    const assigned = new Set(['a', 'gone']);
    const counts = reviewCounts(queue, assigned);
    expect(counts).toEqual({ all: 3, held: 1, clear: 2, assigned: 1 });
    for (const part of REVIEW_PARTS)
      expect(queue.filter((lesson) => isInPart(lesson, part, assigned))).toHaveLength(counts[part]);
  });
});
