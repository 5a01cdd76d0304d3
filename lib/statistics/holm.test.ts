import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holm } from './paired-verdict.ts';

test.each<[string, (number | null)[], (number | null)[]]>([
  [
    'Wikipedia, “Holm–Bonferroni method”, example: of four only the first and fourth pass 0.05',
    [0.01, 0.04, 0.03, 0.005],
    [0.03, 0.06, 0.06, 0.02],
  ],
  ['a single p-value is unchanged', [0.04], [0.04]],
  ['no p-values', [], []],
  ['a missing p-value counts as no test', [0.03, null, 0.02], [0.04, null, 0.04]],
  ['p-values never exceed 1', [0.6, 0.9], [1, 1]],
  ['equal p-values stay equal', [0.02, 0.02, 0.02], [0.06, 0.06, 0.06]],
])('%s', (_name, given, adjusted) => {
  holm(given).forEach((p, index) => {
    const expected = adjusted[index] ?? null;
    if (expected === null) expect(p).toBeNull();
    else expect(p).toBeCloseTo(expected, 12);
  });
  expect(holm(given)).toHaveLength(adjusted.length);
});

test('keeps the order, lowers no p-value, and never exceeds Bonferroni', () => {
  const chances = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });
  fc.assert(
    fc.property(chances, (given) => {
      const adjusted = holm(given).map((p) => p ?? Number.NaN);
      given.forEach((p, index) => {
        expect(adjusted[index]).toBeGreaterThanOrEqual(p);
        expect(adjusted[index]).toBeLessThanOrEqual(Math.min(1, p * given.length));
        given.forEach((other, there) => {
          if (p < other) expect(adjusted[index]).toBeLessThanOrEqual(adjusted[there] ?? Number.NaN);
        });
      });
    }),
  );
});
