import { expect, test } from 'vitest';
import { seededNumber } from '#lib/core/text-values.ts';
import { effectiveSize } from '#lib/core/tuning/case-weights.ts';
import { meanInterval, studentInterval, weightedInterval, wilsonInterval } from './intervals.ts';

test.each([
  { name: 'Wilson interval for pass or fail scores', scores: [1, 1, 0, 1], mean: 0.75, low: 0.3006, high: 0.9544 },
  { name: 'Wilson interval if all passed', scores: [1, 1, 1], mean: 1, low: 0.4385, high: 1 },
  { name: 'Wilson interval if none passed', scores: [0, 0], mean: 0, low: 0, high: 0.6576 },
  // statsmodels: proportion_confint(1.8, 3, method='wilson').
  { name: 'Wilson interval for few fractional scores', scores: [0.5, 0.6, 0.7], mean: 0.6, low: 0.1725, high: 0.9152 },
  // By hand: Wilson's interval of 2.4 out of 3, and of 16 out of 20 (statsmodels: proportion_confint(16, 20, method='wilson')).
  { name: 'Wilson interval for three equal scores', scores: [0.8, 0.8, 0.8], mean: 0.8, low: 0.2875, high: 0.9752 },
  {
    name: 'Wilson interval for twenty equal scores',
    scores: Array(20).fill(0.8),
    mean: 0.8,
    low: 0.583983,
    high: 0.919336,
  },
  // scipy: t.interval(0.95, 13, 0.5, sem([0.25, 0.75] * 6 + [0, 1])).
  {
    name: 't interval of the scores with 0 and 1',
    scores: Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? 0.25 : 0.75)),
    mean: 0.5,
    low: 0.32096,
    high: 0.67904,
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

test('covers the true mean although most samples have equal scores', () => {
  // Each score is 0.9, or 0 with probability 0.05, so the true mean is 0.855. 60% of samples of 10 have no spread.
  const samples = Array.from({ length: 2_000 }, (_, sample) =>
    Array.from({ length: 10 }, (_, at) => (seededNumber(`${sample} ${at}`) < 0.05 ? 0 : 0.9)),
  );
  const covered = samples.filter((scores) => {
    const { low, high } = meanInterval(scores) ?? {};
    return (low ?? 0) <= 0.855 && 0.855 <= (high ?? 1);
  });
  expect(covered.length / samples.length).toBeGreaterThan(0.95);
});

test.each([3, 5, 10, 20])('covers the true mean of %i scores near 1 that are rarely 0', (n) => {
  // Each score is 1 with probability 0.7, 0.9 with 0.2, 0.5 with 0.05 and 0 with 0.05, so the true mean is 0.905.
  const scoreAt = (draw: number) => (draw < 0.7 ? 1 : draw < 0.9 ? 0.9 : draw < 0.95 ? 0.5 : 0);
  const covered = Array.from({ length: 2_000 }, (_, sample) =>
    meanInterval(Array.from({ length: n }, (_, at) => scoreAt(seededNumber(`rare ${n} ${sample} ${at}`)))),
  ).filter((found) => (found?.low ?? 0) <= 0.905 && 0.905 <= (found?.high ?? 1));
  expect(covered.length / 2_000).toBeGreaterThan(0.93);
});

test('a single other score does not make the interval of equal scores much narrower', () => {
  const width = (scores: number[]) => {
    const { low, high } = meanInterval(scores) ?? {};
    return (high ?? 1) - (low ?? 0);
  };
  expect(width([...Array(19).fill(1), 0.8])).toBeGreaterThan(0.9 * width(Array(20).fill(1)));
});

test.each([[[1, 2, 1, 3, 1, 1]], [[2, 2, 2, 2]]])(
  'equal scores with weights %j have an interval of that width',
  (weights) => {
    const scores = weights.map(() => 0.7);
    const found = weightedInterval(scores, new Set(weights).size === 1 ? null : weights);
    const size = effectiveSize(weights);
    const expected = wilsonInterval(0.7 * size, size);
    expect(found?.mean).toBe(0.7);
    expect(found?.low).toBeCloseTo(expected?.low ?? 0, 6);
    expect(found?.high).toBeCloseTo(expected?.high ?? 1, 6);
  },
);

test('scores that differ only by rounding are equal', () => {
  expect(meanInterval([0.3, 0.1 + 0.2, 0.3])).toEqual(meanInterval([0.3, 0.3, 0.3]));
  expect(weightedInterval([0.3, 0.1 + 0.2, 0.3], [1, 2, 1])).toEqual(weightedInterval([0.3, 0.3, 0.3], [1, 2, 1]));
});

test('unbounded values that are all equal have no interval', () => {
  expect(studentInterval([3, 3, 3])).toEqual({ n: 3, mean: 3, low: null, high: null });
});
