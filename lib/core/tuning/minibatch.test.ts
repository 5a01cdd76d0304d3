import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tuningCases, tuningHistory, withTries } from '../tuning-history.test-support.ts';
import { minibatch, roundsOfEpoch } from './minibatch.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

function setup(train: number, minibatchSize: number, seed = 0) {
  const history = { cases: tuningCases({ train, validation: 2, held_out: 2 }), versions: [], tries: [] };
  const settings = tuningSettingsOf({ tune: { minibatchSize, seed } });
  return { rounds: roundsOfEpoch(history, settings), of: (round: number) => minibatch(history, settings, round, 0) };
}

test.each([
  { name: 'some of the cases', train: 7, size: 3, rounds: 3, taken: 3 },
  { name: 'all cases if there are few', train: 2, size: 3, rounds: 1, taken: 2 },
  { name: 'one case', train: 1, size: 1, rounds: 1, taken: 1 },
  { name: 'equal parts', train: 6, size: 2, rounds: 3, taken: 2 },
])('$name', ({ train, size, rounds, taken }) => {
  const { rounds: inEpoch, of } = setup(train, size);
  expect(inEpoch).toBe(rounds);
  expect(of(0)).toHaveLength(taken);
});

test('an epoch covers every training case, and no minibatch repeats a case', () => {
  const size = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), size, fc.nat(50), fc.nat(5), (train, minibatchSize, seed, epoch) => {
      const { rounds, of } = setup(train, minibatchSize, seed);
      const batches = Array.from({ length: rounds }, (_round, at) => of(epoch * rounds + at));
      for (const batch of batches) expect(new Set(batch).size).toBe(Math.min(minibatchSize, train));
      expect([...new Set(batches.flat())].sort((one, other) => one - other)).toEqual(
        Array.from({ length: train }, (_case, position) => position),
      );
    }),
  );
});

test('each epoch and each seed has a different order', () => {
  const { rounds, of } = setup(12, 3);
  const epoch = (number: number) => Array.from({ length: rounds }, (_round, at) => of(number * rounds + at)).flat();
  expect(epoch(1)).not.toEqual(epoch(0));
  expect(setup(12, 3, 1).of(0)).not.toEqual(of(0));
});

describe('with half of the cases from known failures', () => {
  /** A prompt that fails these training cases and solves the others. */
  function withFailures(train: number, minibatchSize: number, failed: number[], seed = 0) {
    const settings = tuningSettingsOf({ tune: { minibatchSize, seed, minibatches: 'failures' } });
    const scores = Object.fromEntries(
      Array.from({ length: train }, (_case, position) => [position, failed.includes(position) ? 0.5 : 1]),
    );
    const history = tuningHistory(settings, { train, validation: 2 }, [{ scores }]);
    return {
      rounds: roundsOfEpoch(history, settings),
      of: (round: number) => minibatch(history, settings, round, 0),
    };
  }

  test('half of a minibatch failed before, and each round has different failures', () => {
    const { of } = withFailures(40, 4, [3, 7, 11, 15]);
    const failuresOf = (round: number) => of(round).filter((position) => [3, 7, 11, 15].includes(position));
    for (let round = 0; round < 20; round++) expect(failuresOf(round).length).toBeGreaterThanOrEqual(2);
    expect(new Set([...failuresOf(0), ...failuresOf(1)]).size).toBe(4);
  });

  test('only cases with a score of this prompt are known failures', () => {
    const settings = tuningSettingsOf({ tune: { minibatchSize: 2, minibatches: 'failures' } });
    const history = tuningHistory(settings, { train: 20 }, [{ scores: { 4: null } }]);
    const shuffled = { tune: { ...settings.tune, minibatches: 'shuffled' as const, minibatchSize: 1 } };
    const inTurn = minibatch(history, shuffled, 0, 0);
    // A case without a score is not a known failure.
    expect(minibatch(history, settings, 0, 0)).toEqual([...inTurn, ...minibatch(history, shuffled, 1, 0)]);
    const failed = withTries(history, 0, { 4: 0 });
    expect(minibatch(failed, settings, 0, 0)).toContain(4);
    expect(minibatch(failed, settings, 0, 1)).not.toContain(4);
  });

  test('without known failures the epoch order is unchanged', () => {
    const { of } = withFailures(12, 4, []);
    const { of: shuffled } = setup(12, 4);
    expect(of(0)).toEqual(shuffled(0));
  });

  test('an epoch still covers every training case, and no minibatch repeats a case', () => {
    const train = 12;
    const failed = fc.uniqueArray(fc.nat(train - 1));
    fc.assert(
      fc.property(failed, fc.integer({ min: 1, max: 14 }), fc.nat(50), fc.nat(3), (failures, size, seed, epoch) => {
        const { rounds, of } = withFailures(train, size, failures, seed);
        const batches = Array.from({ length: rounds }, (_round, at) => of(epoch * rounds + at));
        for (const batch of batches) {
          expect(new Set(batch).size).toBe(Math.min(size, train));
          expect(batch).toHaveLength(Math.min(size, train));
          const known = batch.filter((position) => failures.includes(position)).length;
          expect(known).toBeGreaterThanOrEqual(Math.min(failures.length, Math.floor(Math.min(size, train) / 2)));
        }
        expect(new Set(batches.flat()).size).toBe(train);
      }),
    );
  });
});
