import { expect, test } from 'vitest';
import { wilsonInterval } from './intervals.ts';

// Worked example: Newcombe 1998, table I (two-sided 95 %, method 3: score without continuity correction).
test.each([
  { name: 'Newcombe: 81 of 263', successes: 81, total: 263, low: 0.2553, high: 0.3662 },
  { name: 'Newcombe: 15 of 148', successes: 15, total: 148, low: 0.0624, high: 0.1605 },
  { name: 'Newcombe: 0 of 20', successes: 0, total: 20, low: 0, high: 0.1611 },
  { name: 'Newcombe: 1 of 29', successes: 1, total: 29, low: 0.0061, high: 0.1718 },
  { name: '20 of 20, the mirror of 0 of 20', successes: 20, total: 20, low: 0.8389, high: 1 },
])('$name: $low to $high', ({ successes, total, low, high }) => {
  const interval = wilsonInterval(successes, total);
  expect(interval?.low).toBeCloseTo(low, 4);
  expect(interval?.high).toBeCloseTo(high, 4);
  expect(interval?.share).toBe(successes / total);
});

test('returns null for an empty sample', () => {
  expect(wilsonInterval(0, 0)).toBeNull();
});
