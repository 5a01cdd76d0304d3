import { expect, test } from 'vitest';
import { findAdjacentEntry } from './loaded-entry.tsx';

test.each([
  { from: 'a', step: 1, found: 'b' },
  { from: 'b', step: -1, found: 'a' },
  { from: 'c', step: 1, found: null },
  { from: 'a', step: -1, found: null },
  { from: 'gone', step: -1, found: 'a' },
  { from: null, step: 1, found: 'a' },
] as const)('moving $step from $from selects $found', ({ from, step, found }) => {
  expect(findAdjacentEntry(['a', 'b', 'c'], from, step)).toBe(found);
});
