import { expect, test } from 'vitest';
import { errorRates } from './error-rates.ts';
import { type SummedShare, sumShares } from './shares.ts';

/** Returns one check per run, so that checks are independent. */
function independent(met: number, of: number): SummedShare {
  return sumShares(Array.from({ length: of }, (_, run) => ({ met: run < met ? 1 : 0, of: 1 })));
}

test.each([
  // By hand: 40/100 ÷ (40/100 + 5/100) = 0.8889; the standard error of the logit is √(0.6/40 + 0.95/5) = 0.4528.
  {
    name: 'calculated by hand: 40 of 100 corrected, 5 of 100 introduced',
    corrected: [40, 100],
    introduced: [5, 100],
    now: 0.5,
    settles: [0.767095, 0.888889, 0.951068],
    trend: 'rises',
  },
  {
    name: 'calculated by hand: the reverse falls',
    corrected: [5, 100],
    introduced: [40, 100],
    now: 0.5,
    settles: [0.048932, 0.111111, 0.232905],
    trend: 'falls',
  },
  {
    name: '171 of 486 and 52 of 1,204 settle at 89 %',
    corrected: [171, 486],
    introduced: [52, 1_204],
    now: 0.712426,
    settles: [0.858835, 0.890671, 0.916029],
    trend: 'rises',
  },
  {
    name: 'calculated by hand: 3 of 10 both ways, e to the ±1.96 × √(0.7/3 + 0.7/3): within noise',
    corrected: [3, 10],
    introduced: [3, 10],
    now: 0.5,
    settles: [0.207689, 0.5, 0.792311],
    trend: 'within_noise',
  },
  {
    name: 'calculated by hand: none introduced, with 0.5 added, ln 21 ± 1.96 × √2: a wide interval',
    corrected: [10, 20],
    introduced: [0, 20],
    now: 0.5,
    settles: [0.567759, 1, 1],
    trend: 'rises',
  },
])('$name', ({ corrected: [up = 0, failing = 0], introduced: [down = 0, passing = 0], now, settles, trend }) => {
  const found = errorRates({ corrected: independent(up, failing), introduced: independent(down, passing) });
  expect(found).toMatchObject({
    now,
    trend,
    corrected: { met: up, of: failing },
    introduced: { met: down, of: passing },
  });
  const { low, share, high } = found.settles ?? {};
  [low, share, high].forEach((bound, index) => {
    expect(bound).toBeCloseTo(settles[index] ?? Number.NaN, 3);
  });
});

test.each([
  ['nothing was checked twice', [0, 0], [0, 0], null],
  ['nothing passed', [3, 10], [0, 0], 0],
  ['nothing failed', [0, 0], [1, 10], 1],
  ['nothing changed', [0, 10], [0, 10], 0.5],
] as const)('the steady state is null if %s', (_name, [up, failing], [down, passing], now) => {
  expect(errorRates({ corrected: independent(up, failing), introduced: independent(down, passing) })).toMatchObject({
    now,
    settles: null,
    trend: null,
  });
});

test('correlated checks within a run give wider intervals for the same rates', () => {
  const alike = (met: number, of: number) =>
    sumShares(Array.from({ length: of / 10 }, (_, run) => ({ met: run < met / 10 ? 10 : 0, of: 10 })));
  const wide = errorRates({ corrected: alike(40, 100), introduced: alike(10, 100) });
  const narrow = errorRates({ corrected: independent(40, 100), introduced: independent(10, 100) });
  expect(wide.settles?.share).toBe(narrow.settles?.share);
  expect(wide.settles?.low).toBeLessThan((narrow.settles?.low ?? 0) - 0.1);
  expect(wide.corrected.interval?.low).toBeLessThan((narrow.corrected.interval?.low ?? 0) - 0.1);
});
