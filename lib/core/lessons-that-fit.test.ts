import { expect, test } from 'vitest';
import { lessonsThatFit } from './lesson-form.ts';

/** Creates a lesson of that many prompt tokens. Its line has two extra characters. */
function lesson(tokens: number) {
  return { kind: 'lesson' as const, text: 'x'.repeat(tokens * 4 - 2) };
}

test.each([
  { name: 'returns all lessons', lengths: [3, 4], budget: 10, most: 9, fit: [3, 4], tokens: 7 },
  { name: 'returns lessons that just fit', lengths: [3, 4], budget: 7, most: 9, fit: [3, 4], tokens: 7 },
  { name: 'skips a lesson that is too long', lengths: [3, 90, 4], budget: 7, most: 9, fit: [3, 4], tokens: 7 },
  { name: 'returns at most the requested number', lengths: [3, 90, 4, 1], budget: 50, most: 2, fit: [3, 4], tokens: 7 },
  { name: 'returns none without lessons', lengths: [3, 4], budget: 2, most: 9, fit: [], tokens: 0 },
  { name: 'returns none if no budget is left', lengths: [1], budget: -5, most: 9, fit: [], tokens: 0 },
])('$name', ({ lengths, budget, most, fit, tokens }) => {
  expect(lessonsThatFit(lengths.map(lesson), budget, most)).toEqual({ lessons: fit.map(lesson), tokens });
});
