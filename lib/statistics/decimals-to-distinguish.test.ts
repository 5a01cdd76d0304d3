import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalsToDistinguish } from './format-statistics.ts';

test.each([
  { one: 0.796, other: 0.8, decimals: 3 },
  { one: 0.7996, other: 0.8, decimals: 4 },
  { one: 0.806, other: 0.805, decimals: 3 },
  { one: 0.799999, other: 0.8, decimals: 6 },
  { one: 0.8, other: 0.8, decimals: 2 },
  { one: 0.4, other: 0.8, decimals: 2 },
  { one: 0.04999, other: 0.05, decimals: 5 },
])('$one and $other need $decimals decimals', ({ one, other, decimals }) => {
  expect(decimalsToDistinguish(one, other, 2)).toBe(decimals);
});

/** Random shares, including pairs that are close to each other. */
const share = fc.double({ min: 1e-9, max: 1, noNaN: true });
const pair = fc.oneof(
  fc.tuple(share, share),
  fc
    .tuple(share, fc.integer({ min: -999, max: 999 }), fc.integer({ min: 2, max: 9 }))
    .map(([one, steps, power]): [number, number] => [one, Math.max(1e-9, one + steps / 10 ** (power + 3))]),
);

test('uses the fewest decimals that keep the order of two numbers', () => {
  fc.assert(
    fc.property(pair, fc.integer({ min: 0, max: 4 }), ([one, other], least) => {
      const decimals = decimalsToDistinguish(one, other, least);
      const order = (count: number) => Math.sign(Number(one.toFixed(count)) - Number(other.toFixed(count)));
      expect(decimals).toBeGreaterThanOrEqual(least);
      expect(order(decimals)).toBe(Math.sign(one - other));
      if (decimals > least) expect(order(decimals - 1)).not.toBe(Math.sign(one - other));
    }),
    { numRuns: 2_000 },
  );
});
