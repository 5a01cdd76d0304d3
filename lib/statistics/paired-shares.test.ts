import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairedShares } from './shares.ts';

test('Fagerland, Lydersen & Laake 2014, airway measurements (1, 1, 7, 12): Newcombe’s interval is −0.507 to −0.026', () => {
  const found = pairedShares({ both: 1, onlyArm: 1, onlyBaseline: 7, neither: 12 });
  expect(found?.difference).toBeCloseTo(-0.286, 3);
  expect(found?.low).toBeCloseTo(-0.507, 3);
  expect(found?.high).toBeCloseTo(-0.026, 3);
});

test.each([
  ['no pairs', { both: 0, onlyArm: 0, onlyBaseline: 0, neither: 0 }, null],
  ['no differences leave an interval on both sides', { both: 20, onlyArm: 0, onlyBaseline: 0, neither: 0 }, 0],
  ['all gained', { both: 0, onlyArm: 20, onlyBaseline: 0, neither: 0 }, 1],
])('%s', (_name, counts, difference) => {
  expect(pairedShares(counts)?.difference ?? null).toBe(difference);
});

test('swapping the sides flips the signs, and the interval contains the difference within −1 and 1', () => {
  const count = fc.nat(400);
  const counts = fc.record({ both: count, onlyArm: count, onlyBaseline: count, neither: count });
  fc.assert(
    fc.property(counts, (given) => {
      const found = pairedShares(given);
      const swapped = pairedShares({ ...given, onlyArm: given.onlyBaseline, onlyBaseline: given.onlyArm });
      if (found === null || swapped === null) return;
      expect(swapped.low).toBeCloseTo(-found.high, 12);
      expect(swapped.high).toBeCloseTo(-found.low, 12);
      expect(found.low).toBeLessThanOrEqual(found.difference);
      expect(found.high).toBeGreaterThanOrEqual(found.difference);
      expect(found.low).toBeGreaterThanOrEqual(-1);
      expect(found.high).toBeLessThanOrEqual(1);
    }),
  );
});
