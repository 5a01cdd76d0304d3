import { expect, test } from 'vitest';
import { isRefuted } from './lesson-review.ts';

test.each([
  ['never judged', 0, 0, false],
  ['one harm alone', 0, 1, false],
  ['two harms alone', 0, 2, true],
  ['as much harm as help', 2, 2, false],
  ['more harm than help', 2, 3, true],
  ['more help than harm', 17, 6, false],
])('%s: %i helpful, %i harmful is refuted: %s', (_name, helpful, harmful, expected) => {
  expect(isRefuted({ helpful, harmful })).toBe(expected);
});
