import { expect, test } from 'vitest';
import { AXIS_FORMATS, frontierPoints, intervalNote } from './frontier-points.ts';
import { summaryOf } from './summary-of.test-support.ts';

const measured = (mean: number) => ({ n: 4, mean, low: mean / 2, high: mean * 2 });
const summary = summaryOf([{ mean: 0.4 }, { mean: 0.6 }, { mean: 0.8 }, { mean: 0.8 }, {}]);
const candidates = [
  { version: 0, costUsd: measured(1), latencyMs: measured(100), promptTokens: 10 },
  { version: 1, costUsd: measured(3), latencyMs: measured(100), promptTokens: 20 },
  { version: 2, costUsd: measured(2), latencyMs: null, promptTokens: 40 },
  { version: 3, costUsd: null, latencyMs: null, promptTokens: null },
  { version: 4, costUsd: measured(1), latencyMs: measured(1), promptTokens: 1 },
];

test.each([
  { axis: 'costUsd', all: [0, 1, 2], front: [0, 2] },
  { axis: 'latencyMs', all: [0, 1], front: [1] },
  { axis: 'promptTokens', all: [0, 1, 2], front: [0, 1, 2] },
] as const)(
  'by $axis: includes only scored and measured versions and marks the Pareto front',
  ({ axis, all, front }) => {
    const points = frontierPoints(summary, candidates, axis);
    expect(points.map(({ version }) => version)).toEqual(all);
    expect(points.flatMap(({ version, isOnFront }) => (isOnFront ? [version] : []))).toEqual(front);
  },
);

test('measured values have intervals, prompt length has none', () => {
  expect(frontierPoints(summary, candidates, 'costUsd')[0]).toMatchObject({ x: 1, xLow: 0.5, xHigh: 2 });
  expect(frontierPoints(summary, candidates, 'promptTokens')[0]).toMatchObject({ x: 10, xLow: null, xHigh: null });
});

test.each([
  { name: 'scores and values', low: 0.2, xLow: 1, says: 'Vertical and horizontal lines are 95% intervals.' },
  { name: 'scores', low: 0.2, xLow: null, says: 'Vertical lines are 95% intervals.' },
  { name: 'values', low: null, xLow: 1, says: 'Horizontal lines are 95% intervals.' },
  { name: 'neither', low: null, xLow: null, says: '' },
])('names the intervals of $name', ({ low, xLow, says }) => {
  const score = { n: 1, mean: 0.5, low, high: low };
  expect(intervalNote([{ version: 0, score, x: 2, xLow, xHigh: xLow, isOnFront: true }])).toBe(says);
});

test('marks prompt length as an estimate', () => {
  expect(AXIS_FORMATS.promptTokens(1_200)).toBe('about 1,200 tokens');
});
