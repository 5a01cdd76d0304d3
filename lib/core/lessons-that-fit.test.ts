import { expect, test } from 'vitest';
import { lessonsThatFit } from './lesson-form.ts';

/** Creates a lesson of that many prompt tokens. Its line has two extra characters. */
function lesson(tokens: number) {
  return { kind: 'lesson' as const, text: 'x'.repeat(tokens * 4 - 2) };
}

test.each([
  { name: 'all', lengths: [3, 4], budget: 10, most: 9, fit: [3, 4], tokens: 7 },
  { name: 'just', lengths: [3, 4], budget: 7, most: 9, fit: [3, 4], tokens: 7 },
  { name: 'one that is too long is passed over', lengths: [3, 90, 4], budget: 7, most: 9, fit: [3, 4], tokens: 7 },
  { name: 'no more than asked for', lengths: [3, 90, 4, 1], budget: 50, most: 2, fit: [3, 4], tokens: 7 },
  { name: 'none', lengths: [3, 4], budget: 2, most: 9, fit: [], tokens: 0 },
  { name: 'nothing left', lengths: [1], budget: -5, most: 9, fit: [], tokens: 0 },
])('$name', ({ lengths, budget, most, fit, tokens }) => {
  expect(lessonsThatFit(lengths.map(lesson), budget, most)).toEqual({ lessons: fit.map(lesson), tokens });
});
