import { expect, test } from 'vitest';
import { meanInterval } from './intervals.ts';

test.each([
  { name: 'Wilson interval for pass or fail scores', scores: [1, 1, 0, 1], mean: 0.75, low: 0.3006, high: 0.9544 },
  { name: 'Wilson interval if all passed', scores: [1, 1, 1], mean: 1, low: 0.4385, high: 1 },
  { name: 'Wilson interval if none passed', scores: [0, 0], mean: 0, low: 0, high: 0.6576 },
  // By hand: mean 0.6, s = 0.1, t(2) = 4.30265: 0.6 ± 0.24842.
  { name: 't interval for fractional scores', scores: [0.5, 0.6, 0.7], mean: 0.6, low: 0.3516, high: 0.8484 },
  { name: 'clipped to the range of scores', scores: [0.9, 1], mean: 0.95, low: 0.3147, high: 1 },
  // R: qt(0.975, 11) = 2.200985; s = 0.2611165, standard error 0.0753778.
  {
    name: 'beyond the table of t quantiles',
    scores: Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? 0.25 : 0.75)),
    mean: 0.5,
    low: 0.3341,
    high: 0.6659,
  },
])('$name', ({ scores, mean, low, high }) => {
  const found = meanInterval(scores);
  expect(found?.n).toBe(scores.length);
  expect(found?.mean).toBeCloseTo(mean, 4);
  expect(found?.low).toBeCloseTo(low, 3);
  expect(found?.high).toBeCloseTo(high, 3);
});

test('returns no interval for one score between 0 and 1', () => {
  expect(meanInterval([0.4])).toEqual({ n: 1, mean: 0.4, low: null, high: null });
});

test('returns null without scores', () => {
  expect(meanInterval([])).toBeNull();
});
