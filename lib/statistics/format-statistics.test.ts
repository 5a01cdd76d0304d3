import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SIGNIFICANT, writeChance } from './format-statistics.ts';

test.each([
  [0.0004, 'below 0.001'],
  [0.0042, '0.004'],
  [0.034, '0.03'],
  [0.046, '0.046'],
  [0.04996, '0.04996'],
  [0.05, '0.05'],
  [0.0503, '0.0503'],
  [0.96, '0.96'],
  [1, '1.00'],
])('writes %d as %s', (p, expected) => {
  expect(writeChance(p)).toBe(expected);
});

test('the written value stays on the same side of the significance level', () => {
  const near = fc.integer({ min: -99_999, max: 99_999 }).map((steps) => SIGNIFICANT + steps / 1e8);
  fc.assert(
    fc.property(
      fc.oneof(fc.double({ min: 0.001, max: 1, noNaN: true }), near),
      fc.integer({ min: 2, max: 4 }),
      (p, least) => {
        const isReal = p < SIGNIFICANT;
        expect(Number(writeChance(p)) < SIGNIFICANT).toBe(isReal);
        expect(Number(writeChance(p, least)) < SIGNIFICANT).toBe(isReal);
      },
    ),
    { numRuns: 2_000 },
  );
});
