import { describe, expect, test } from 'vitest';
import type { TrendPoint } from '#lib/insights/schema.ts';
import { countedShare } from '#lib/statistics/shares.ts';
import { axisTop, pathsWithGaps, trendHeadline, trendValues } from './trend-points.ts';

const point = (label: string, solved: number, of: number, cost: number | null = null): TrendPoint => ({
  ...{ label, ended: of, unscored: 0, unpriced: 0 },
  solved: countedShare(solved, of),
  score: null,
  costUsd: cost === null ? null : { n: of, mean: cost, low: cost / 2, high: cost * 2 },
});

test('breaks the line at a gap', () => {
  expect(pathsWithGaps([1, 2, null, 3, null, 4, 5].map((value) => ({ value })))).toEqual([
    [0, 1],
    [5, 6],
  ]);
});

test('a week without scores is a gap, not 0', () => {
  expect(trendValues([point('2026-11-23', 0, 0)], 'solved')).toEqual([
    { name: '2026-11-23', short: '23 Nov', n: 0, value: null, low: null, high: null },
  ]);
});

describe('trendHeadline', () => {
  test.each([
    {
      name: 'up if the intervals do not overlap',
      points: [point('2026-11-09', 10, 100), point('2026-11-16', 0, 0), point('2026-11-23', 90, 100)],
      says: /^90% \(n 100, 83% to 94%\) in the week of 23 Nov, up from 10% in the week of 9 Nov\.$/,
    },
    {
      name: 'within noise if they overlap',
      points: [point('2026-11-16', 5, 10), point('2026-11-23', 6, 10)],
      says: /within noise of 50% in the week of 16 Nov\.$/,
    },
    { name: 'a single week', points: [point('2026-11-23', 6, 10)], says: /^60% \(n 10, .*23 Nov\.$/ },
    { name: 'no scored runs', points: [point('2026-11-23', 0, 0)], says: /^No run was scored\.$/ },
  ])('$name', ({ points, says }) => {
    expect(trendHeadline(points, 'solved', 'week')).toMatch(says);
  });
});

test.each([
  { cost: 0.013, top: 0.05 },
  { cost: 0.5, top: 1 },
  { cost: 4, top: 10 },
])('the axis for costs up to twice $cost ends at $top', ({ cost, top }) => {
  expect(axisTop(trendValues([point('v1', 1, 2, cost)], 'cost'), 'cost')).toBeCloseTo(top, 9);
});
