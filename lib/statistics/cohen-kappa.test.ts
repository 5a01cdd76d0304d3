import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cohenKappa } from './calibration.ts';

test.each([
  // ci.kappa(.05, 31, 12, 4, 58) of the R package statpsych (Bonett); formulas by Fleiss & Paik 2003.
  { name: 'statpsych, ci.kappa', given: [58, 4, 12, 31], kappa: 0.6756757, low: 0.531721, high: 0.8196303 },
  // Wikipedia, "Cohen's kappa": 50 grant proposals, 20 and 15 agreed; the interval by the same formulas.
  { name: 'Wikipedia, grant proposals', given: [20, 5, 10, 15], kappa: 0.4, low: 0.151092, high: 0.648908 },
  { name: 'agreement by chance', given: [25, 25, 25, 25], kappa: 0, low: -0.195996, high: 0.195996 },
])('$name: $kappa', ({ given: [both = 0, onlyFirst = 0, onlySecond = 0, neither = 0], kappa, low, high }) => {
  const found = cohenKappa({ both, onlyFirst, onlySecond, neither });
  expect(found?.kappa).toBeCloseTo(kappa, 6);
  expect(found?.low).toBeCloseTo(low, 5);
  expect(found?.high).toBeCloseTo(high, 5);
});

test.each([
  ['there are no judgements', { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 }],
  ['both answered yes to everything', { both: 9, onlyFirst: 0, onlySecond: 0, neither: 0 }],
  ['both answered no to everything', { both: 0, onlyFirst: 0, onlySecond: 0, neither: 9 }],
])('is null if %s', (_name, given) => {
  expect(cohenKappa(given)).toBeNull();
});

test.each([
  { name: 'full agreement', given: [7, 0, 0, 5], kappa: 1 },
  { name: 'full disagreement', given: [0, 6, 6, 0], kappa: -1 },
  { name: 'one rater who always answers yes', given: [5, 5, 0, 0], kappa: 0 },
])('$name has no interval', ({ given: [both = 0, onlyFirst = 0, onlySecond = 0, neither = 0], kappa }) => {
  expect(cohenKappa({ both, onlyFirst, onlySecond, neither })).toMatchObject({ kappa, low: null, high: null });
});

test('is symmetric in raters and in yes and no, and lies within its interval', () => {
  const count = fc.nat(500);
  fc.assert(
    fc.property(count, count, count, count, (both, onlyFirst, onlySecond, neither) => {
      const found = cohenKappa({ both, onlyFirst, onlySecond, neither });
      const swapped = cohenKappa({ both, onlyFirst: onlySecond, onlySecond: onlyFirst, neither });
      const other = cohenKappa({ both: neither, onlyFirst: onlySecond, onlySecond: onlyFirst, neither: both });
      if (found === null) return;
      expect(swapped?.kappa).toBeCloseTo(found.kappa, 5);
      expect(other?.kappa).toBeCloseTo(found.kappa, 5);
      if (found.low === null || found.high === null) return;
      expect(other?.low).toBeCloseTo(found.low, 5);
      expect(found.low).toBeLessThanOrEqual(found.kappa);
      expect(found.high).toBeGreaterThanOrEqual(found.kappa);
    }),
  );
});
