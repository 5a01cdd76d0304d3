import { expect, test } from 'vitest';
import { costPerPoint } from './batch-report.ts';

const of = (gain: number | null, n: number, costUsd: number) => ({
  costUsd,
  gain: gain === null ? null : { mean: gain, n },
});

test.each([
  // Katas of the mockup: $0.128 for 24 runs from 0.73 to 0.95.
  { name: '24 runs with a gain of 0.22 each', sums: of(0.22, 24, 0.128), expected: 0.128 / 52.8 },
  { name: 'one run with a gain of one point', sums: of(0.1, 1, 0.01), expected: 0.01 },
  { name: 'no gain', sums: of(0, 10, 1), expected: null },
  { name: 'no scores', sums: of(null, 0, 1), expected: null },
  { name: 'no cost', sums: of(0.5, 3, 0), expected: 0 },
])('cost per point: $name', ({ sums, expected }) => {
  const found = costPerPoint(sums);
  if (expected === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(expected, 12);
});
