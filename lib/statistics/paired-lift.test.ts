import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededNumber } from '#lib/core/text-values.ts';
import { effectiveSize } from '#lib/core/tuning/case-weights.ts';
import { wilsonInterval } from './intervals.ts';
import { MIN_RESAMPLED_PAIRS } from './paired-bootstrap.ts';
import { pairedLift, type ScoredPair } from './paired-lift.ts';

/** Returns cases named a, b, c … with their scores without and with the lesson. */
function pairs(...scores: [number | null, number | null][]): ScoredPair[] {
  return scores.map(([without, withIt], index) => ({ case: String.fromCharCode(97 + index), without, with: withIt }));
}

function repeated(times: number, without: number, withIt: number): [number, number][] {
  return Array.from({ length: times }, () => [without, withIt]);
}

test.each([
  { name: 'no cases', given: pairs(), n: 0, lift: null, low: null, isNoise: true },
  { name: 'one case has no interval', given: pairs([0.4, 0.6]), n: 1, lift: 0.2, low: null, isNoise: true },
  { name: 'no differences', given: pairs(...repeated(12, 0.5, 0.5)), n: 12, lift: 0, low: -0.242494, isNoise: true },
  {
    name: 'equal gains',
    given: pairs(...repeated(12, 0.4, 0.6)),
    n: 12,
    lift: 0.2,
    low: 0.062769,
    isNoise: false,
  },
  {
    name: 'losses on all cases',
    given: pairs(...repeated(12, 0.6, 0.5)),
    n: 12,
    lift: -0.1,
    low: -0.373726,
    isNoise: false,
  },
  {
    name: 'unscored cases are omitted',
    given: pairs([0.4, 0.6], [null, 0.9], [0.1, null], [0.4, 0.6], [null, null]),
    n: 2,
    lift: 0.2,
    low: null,
    isNoise: true,
  },
])('$name', ({ given, n, lift, low, isNoise }) => {
  expect(pairedLift(given, 's')).toMatchObject({ n, unscored: given.length - n, lift, low, isNoise });
});

test('equal gains with weights have Wilson’s interval for the effective number of cases', () => {
  const weights = [1, 2, 1, 3, 1, 1, 1, 2];
  const gains = pairs(...repeated(weights.length, 0.4, 0.6)).map((pair, at) => ({ ...pair, weight: weights[at] ?? 1 }));
  const size = effectiveSize(weights);
  const { low, high, isNoise } = pairedLift(gains, 's');
  expect(low).toBeCloseTo(wilsonInterval(0.2 * size, size)?.low ?? 0, 6);
  expect(high).toBeCloseTo(wilsonInterval(0.2 * size, size)?.high ?? 1, 6);
  expect(isNoise).toBe(false);
});

describe('counts', () => {
  test('counts helped, harmed and unchanged cases, and lists the most harmed first', () => {
    const lift = pairedLift(pairs([0.5, 0.7], [0.5, 0.4], [0.5, 0.5], [0.9, 0.2]), 's');
    expect(lift).toMatchObject({ helped: 1, harmed: 2, same: 1, isSmall: true });
    expect(lift.harmedCases).toEqual([
      { case: 'd', without: 0.9, with: 0.2 },
      { case: 'b', without: 0.5, with: 0.4 },
    ]);
  });

  test('equal gains and losses are noise, and ten cases are no longer a small sample', () => {
    const mixed = pairs(...repeated(8, 0.5, 0.6), ...repeated(8, 0.6, 0.5));
    expect(pairedLift(mixed, 's')).toMatchObject({ lift: 0, isNoise: true, isSmall: false });
    expect(pairedLift(pairs(...repeated(10, 0.5, 0.6)), 's').isSmall).toBe(false);
    expect(pairedLift(pairs(...repeated(9, 0.5, 0.6)), 's').isSmall).toBe(true);
  });

  test('the interval is about 1.96 standard errors on each side', () => {
    // 50 differences of 0 and 50 of 0.2: mean 0.1, standard deviation 0.1, standard error 0.01.
    const { low, high } = pairedLift(pairs(...repeated(50, 0.5, 0.5), ...repeated(50, 0.5, 0.7)), 's');
    expect(low).toBeCloseTo(0.1 - 0.0196, 2);
    expect(high).toBeCloseTo(0.1 + 0.0196, 2);
    expect(low).toBeGreaterThan(0.07);
    expect(high).toBeLessThan(0.13);
  });
});

describe('chance alone', () => {
  /** Returns differences of scores whose mean is 0, by the seed. */
  const chancePairs = (count: number, seed: string, weight: (at: number) => number): ScoredPair[] =>
    Array.from({ length: count }, (_, at) => {
      const sum = [0, 1, 2, 3].reduce((total, part) => total + seededNumber(seed, String(at), String(part)), 0);
      return { case: String(at), without: 0.5, with: 0.5 + (sum - 2) / 10, weight: weight(at) };
    });

  test.each([2, 3, 5, 8, 12])('is called an effect in about 5 of 100 comparisons of %i cases', (count) => {
    const found = Array.from({ length: 400 }, (_, at) =>
      pairedLift(
        chancePairs(count, `${at}`, () => 1),
        `${at}`,
      ),
    );
    const share = found.filter(({ isNoise }) => !isNoise).length / found.length;
    expect(share).toBeGreaterThan(0.015);
    expect(share).toBeLessThan(0.09);
  });

  test('is also rarely called an effect if cases have weights', () => {
    const found = Array.from({ length: 200 }, (_, at) =>
      pairedLift(
        chancePairs(8, `${at}`, (index) => 1 + (index % 2)),
        `${at}`,
      ),
    );
    const share = found.filter(({ isNoise }) => !isNoise).length / found.length;
    expect(share).toBeGreaterThan(0.01);
    expect(share).toBeLessThan(0.1);
  });
});

const score = fc.option(
  fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100),
  { freq: 8 },
);
const anyPairs = fc.array(fc.record({ case: fc.string({ maxLength: 3 }), without: score, with: score }), {
  maxLength: 30,
});
const runs = { numRuns: 60 };

describe('for any scores', () => {
  test('swapping the sides flips all signs', () => {
    const property = fc.property(anyPairs, fc.string(), (given, seed) => {
      const lift = pairedLift(given, seed);
      const swapped = pairedLift(
        given.map((pair) => ({ ...pair, without: pair.with, with: pair.without })),
        seed,
      );
      expect(minus(swapped.lift)).toEqual(lift.lift);
      expect(minus(swapped.high)).toEqual(lift.low);
      expect(minus(swapped.low)).toEqual(lift.high);
      expect([swapped.helped, swapped.harmed, swapped.same]).toEqual([lift.harmed, lift.helped, lift.same]);
      expect(swapped.isNoise).toBe(lift.isNoise);
    });
    fc.assert(property, runs);
  });

  test('the interval contains the mean and stays between the extremes', () => {
    const property = fc.property(anyPairs, fc.string(), (given, seed) => {
      const { n, lift, low, high, helped, harmed, same, unscored } = pairedLift(given, seed);
      expect(helped + harmed + same).toBe(n);
      expect(n + unscored).toBe(given.length);
      if (low === null || high === null) {
        expect(n).toBeLessThan(MIN_RESAMPLED_PAIRS);
        return;
      }
      expect(n).toBeGreaterThan(1);
      expect(low).toBeLessThanOrEqual(lift ?? Number.NaN);
      expect(high).toBeGreaterThanOrEqual(lift ?? Number.NaN);
      expect(low).toBeGreaterThanOrEqual(-1);
      expect(high).toBeLessThanOrEqual(1);
    });
    fc.assert(property, runs);
  });

  test('the same seed gives the same interval', () => {
    const property = fc.property(anyPairs, fc.string(), (given, seed) => {
      expect(pairedLift(given, seed)).toEqual(pairedLift(given, seed));
    });
    fc.assert(property, { numRuns: 20 });
  });
});

function minus(value: number | null): number | null {
  return value === null ? null : 0 - value;
}
