import { expect, test } from 'vitest';
import { isRefuted } from './review-status.ts';

test.each([
  ['never used', 0, 0, false],
  ['one harmful vote', 0, 1, false],
  ['two harmful votes', 0, 2, true],
  ['as harmful as helpful', 2, 2, false],
  ['more harmful than helpful', 2, 3, true],
  ['more helpful than harmful', 17, 6, false],
])('%s: %i helpful, %i harmful is refuted: %s', (_name, helpful, harmful, expected) => {
  expect(isRefuted({ helpful, harmful })).toBe(expected);
});
