import { expect, test } from 'vitest';
import { solvePoints } from './solve-points.ts';

test('a curve of attempts keeps the counts and adds shares with bounds around them', () => {
  const points = solvePoints({ total: 100, solvedByIteration: [61, 69, 69, 70, 72, 74, 75, 75] }, 'retry');
  expect(points.map(({ solved }) => solved)).toEqual([61, 69, 69, 70, 72, 74, 75, 75]);
  expect(points.map(({ label }) => label)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
  expect(points.at(-1)?.share).toBe(0.75);
  for (const { share, bounds } of points) {
    expect(bounds[0]).toBeLessThan(share);
    expect(bounds[1]).toBeGreaterThan(share);
  }
});

test('versions of a revised text are named as on their page', () => {
  expect(solvePoints({ total: 4, solvedByIteration: [1, 3] }, 'revise').map(({ label }) => label)).toEqual([
    'v0',
    'v1',
  ]);
});

test('an empty batch has no points', () => {
  expect(solvePoints({ total: 0, solvedByIteration: [0] }, 'retry')).toEqual([]);
});
