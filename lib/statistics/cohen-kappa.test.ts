import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededNumber } from '#lib/core/text-values.ts';
import { cohenKappa } from './calibration.ts';

test.each([
  // Kappa by ci.kappa(.05, 31, 12, 4, 58) of the R package statpsych (Bonett), the interval by cohens_kappa of statsmodels for counts
  // raised by one half.
  { name: 'statpsych, ci.kappa', given: [58, 4, 12, 31], kappa: 0.6756757, low: 0.517896, high: 0.807401 },
  // Wikipedia, "Cohen's kappa": 50 grant proposals, 20 and 15 agreed; the interval as above.
  { name: 'Wikipedia, grant proposals', given: [20, 5, 10, 15], kappa: 0.4, low: 0.138408, high: 0.630823 },
  { name: 'agreement by chance', given: [25, 25, 25, 25], kappa: 0, low: -0.194065, high: 0.194065 },
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

test.each([8, 10, 20, 60])('covers the true kappa of %i judgements that mostly agree', (n) => {
  // Both yes with probability 0.7, only the first 0.2, only the second 0.05, both no 0.05: kappa is (0.75 − 0.7) / (1 − 0.7).
  const samples = Array.from({ length: 2_000 }, (_, sample) => {
    const counts = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
    for (let at = 0; at < n; at++) {
      const draw = seededNumber(`kappa ${n} ${sample} ${at}`);
      counts[draw < 0.7 ? 'both' : draw < 0.9 ? 'onlyFirst' : draw < 0.95 ? 'onlySecond' : 'neither']++;
    }
    return cohenKappa(counts);
  });
  const shown = samples.flatMap((found) =>
    found?.low == null || found.high === null ? [] : [{ low: found.low, high: found.high }],
  );
  const covered = shown.filter(({ low, high }) => low <= 1 / 6 && 1 / 6 <= high);
  expect(covered.length / shown.length).toBeGreaterThan(0.92);
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
