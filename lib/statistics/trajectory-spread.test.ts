import { expect, test } from 'vitest';
import { trajectorySpread } from './batch-report.ts';

type Runs = (number | null)[][];

test.each<[string, Runs, [number, number, number][]]>([
  ['no runs', [], []],
  ['runs without a version', [[], []], []],
  [
    'one run',
    [[0.4, 0.6]],
    [
      [1, 1, 0.4],
      [1, 1, 0.6],
    ],
  ],
  [
    'one that ended early counts on with what it ended with',
    [[1], [0.2, 0.6]],
    [
      [2, 2, 0.6],
      [2, 1, 0.8],
    ],
  ],
  [
    'unscored is a gap there, never 0',
    [
      [0.4, null, 0.8],
      [0.6, 0.6, 0.6],
    ],
    [
      [2, 2, 0.5],
      [1, 1, 0.6],
      [2, 2, 0.7],
    ],
  ],
  [
    'one that ended unscored counts on with its last score',
    [
      [0.4, null],
      [0.6, 0.6, 0.8],
    ],
    [
      [2, 2, 0.5],
      [1, 1, 0.6],
      [2, 1, 0.6],
    ],
  ],
  [
    'never scored counts nowhere',
    [
      [null, null],
      [0.5, 0.7],
    ],
    [
      [1, 1, 0.5],
      [1, 1, 0.7],
    ],
  ],
  [
    'a version that no run is scored at has no point',
    [[0.4, null, 0.8]],
    [
      [1, 1, 0.4],
      [1, 1, 0.8],
    ],
  ],
])('%s', (_name, runs, expected) => {
  expect(trajectorySpread(runs).map(({ n, made, mean }) => [n, made, mean])).toEqual(expected);
});

test('returns both the standard deviation of runs and the interval of the mean', () => {
  // Student's t by hand: mean 0.5, standard deviation 0.2, 0.5 ± 3.18245 × 0.2 / √4.
  const scores = [0.3, 0.7, 0.5 + 0.2 / Math.SQRT2, 0.5 - 0.2 / Math.SQRT2];
  const [point] = trajectorySpread(scores.map((score) => [score]));
  expect(point?.standardDeviation).toBeCloseTo(0.2, 6);
  expect(point?.low).toBeCloseTo(0.5 - 0.318245, 5);
  expect(point?.high).toBeCloseTo(0.5 + 0.318245, 5);
});
