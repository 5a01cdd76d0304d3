import { expect, test } from 'vitest';
import { trajectorySpread } from './batch-report.ts';
import { meanInterval } from './intervals.ts';

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
    'a run that ended early keeps its last score',
    [[1], [0.2, 0.6]],
    [
      [2, 2, 0.6],
      [2, 1, 0.8],
    ],
  ],
  [
    'an unscored version is a gap, never 0',
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
    'a run that ended unscored keeps its last score',
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
    'a run that was never scored does not count',
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
    'a version without scores has no point',
    [[0.4, null, 0.8]],
    [
      [1, 1, 0.4],
      [1, 1, 0.8],
    ],
  ],
])('%s', (_name, runs, expected) => {
  expect(trajectorySpread(runs.map((scores) => ({ scores }))).map(({ n, made, mean }) => [n, made, mean])).toEqual(
    expected,
  );
});

test('returns both the standard deviation of runs and the interval of the mean', () => {
  const scores = [0.3, 0.7, 0.5 + 0.2 / Math.SQRT2, 0.5 - 0.2 / Math.SQRT2];
  const [point] = trajectorySpread(scores.map((score) => ({ scores: [score] })));
  expect(point?.standardDeviation).toBeCloseTo(0.2, 6);
  expect(point).toMatchObject({ low: meanInterval(scores)?.low, high: meanInterval(scores)?.high });
});

test('counts runs of one case as one score', () => {
  const runs = [
    { caseKey: 'a', scores: [0.2, 0.6] },
    { caseKey: 'a', scores: [0.4] },
    { caseKey: 'a', scores: [null] },
    { caseKey: 'b', scores: [0.9] },
  ];
  const points = trajectorySpread(runs);
  expect(points.map(({ n, made, mean }) => [n, made, mean])).toEqual([
    [2, 2, 0.6],
    [2, 1, 0.7],
  ]);
  const once = trajectorySpread([{ scores: [0.3, 0.5] }, { scores: [0.9] }]);
  expect(points).toEqual(once);
});
