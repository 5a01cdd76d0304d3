import { expect, test } from 'vitest';
import type { TunedVersion, TuningSummary } from '#lib/measures/tuning-summary.ts';
import { tuningTrajectory } from './tuning-trajectory.ts';

function summaryOf(versions: (Partial<TunedVersion> & { mean?: number })[]): TuningSummary {
  return {
    cases: { train: 3, validation: 4, heldOut: 2 },
    validatesOn: 'validation',
    versions: versions.map(({ mean, ...changes }, number) => ({
      number,
      state: number === 0 ? 'given' : 'candidate',
      parents: number === 0 ? [] : [number - 1],
      round: number === 0 ? null : number - 1,
      diagnosis: null,
      problems: [],
      minibatch: null,
      train: null,
      validation: null,
      heldOut: null,
      chosenBy: mean === undefined ? null : { n: 4, mean, low: Math.max(0, mean - 0.3), high: Math.min(1, mean + 0.3) },
      tried: { train: 0, validation: 0, heldOut: 0 },
      leads: [],
      ...changes,
    })),
    proposals: versions.length - 1,
    accepted: 0,
    calls: 0,
    tries: 0,
    paidBefore: 0,
  };
}

test('a rejected proposal is a gap, never a score, and no line goes to it', () => {
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

test('a candidate that the best one does not come from is a branch that was left', () => {
  const { points } = tuningTrajectory(summaryOf([{ mean: 0.5 }, { mean: 0.6 }, { parents: [0], mean: 0.7 }]), 2);
  expect(points.map(({ left }) => left)).toEqual([false, true, false]);
});

test('the axis goes down to the lowest end of an interval', () => {
  expect(tuningTrajectory(summaryOf([{ mean: 0.75 }]), 0).lowest).toBeCloseTo(0.4);
  expect(tuningTrajectory(summaryOf([{}]), null).lowest).toBeCloseTo(0.8);
});
