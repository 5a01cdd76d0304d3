import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tuningCases } from '../tuning-history.test-support.ts';
import { minibatch, roundsOfEpoch } from './minibatch.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

function setup(train: number, minibatchSize: number, seed = 0) {
  const history = { cases: tuningCases({ train, validation: 2, held_out: 2 }) };
  const settings = tuningSettingsOf({ tune: { minibatchSize, seed } });
  return { rounds: roundsOfEpoch(history, settings), of: (round: number) => minibatch(history, settings, round) };
}

test.each([
  { name: 'a part of the cases', train: 7, size: 3, rounds: 3, taken: 3 },
  { name: 'all of few cases', train: 2, size: 3, rounds: 1, taken: 2 },
  { name: 'one case', train: 1, size: 1, rounds: 1, taken: 1 },
  { name: 'even parts', train: 6, size: 2, rounds: 3, taken: 2 },
])('$name', ({ train, size, rounds, taken }) => {
  const { rounds: inEpoch, of } = setup(train, size);
  expect(inEpoch).toBe(rounds);
  expect(of(0)).toHaveLength(taken);
});

test('an epoch goes through every training case, no minibatch holds one twice, and all are training cases', () => {
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

test('each epoch has an order of its own, and so has each seed', () => {
  const { rounds, of } = setup(12, 3);
  const epoch = (number: number) => Array.from({ length: rounds }, (_round, at) => of(number * rounds + at)).flat();
  expect(epoch(1)).not.toEqual(epoch(0));
  expect(setup(12, 3, 1).of(0)).not.toEqual(of(0));
});
