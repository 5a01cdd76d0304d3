import { expect, test } from 'vitest';
import { summaryOf } from './summary-of.test-support.ts';
import { tuningTrajectory } from './tuning-trajectory.ts';

test('a rejected proposal is a gap without a score or line', () => {
  const { points, segments } = tuningTrajectory(
    summaryOf([{ mean: 0.5 }, { state: 'rejected', mean: 0.9 }, { parents: [0], mean: 0.75 }]),
    2,
  );
  expect(points.map(({ overall, state }) => [overall, state])).toEqual([
    [0.5, 'scored'],
    [null, 'pending'],
    [0.75, 'scored'],
  ]);
  expect(segments).toEqual([{ from: 0, to: 2, left: false }]);
});

test('a candidate that is not an ancestor of the best one is an abandoned branch', () => {
  const { points } = tuningTrajectory(summaryOf([{ mean: 0.5 }, { mean: 0.6 }, { parents: [0], mean: 0.7 }]), 2);
  expect(points.map(({ left }) => left)).toEqual([false, true, false]);
});

test('the axis extends to the lowest interval end', () => {
  expect(tuningTrajectory(summaryOf([{ mean: 0.75 }]), 0).lowest).toBeCloseTo(0.4);
  expect(tuningTrajectory(summaryOf([{}]), null).lowest).toBeCloseTo(0.8);
});
