import { expect, test } from 'vitest';
import { casesForMeans, casesForShares, MIN_PAIRS } from './cases-to-show.ts';

test('never recommends fewer cases than a verdict needs', () => {
  expect(casesForMeans([0.5, 0.5])).toBe(MIN_PAIRS);
  expect(casesForMeans([0.9, 0.91, 0.9])).toBe(MIN_PAIRS);
  expect(casesForShares(2, 2, 0)).toBe(MIN_PAIRS);
});
