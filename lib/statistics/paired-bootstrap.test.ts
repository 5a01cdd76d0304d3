import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededNumber } from '#lib/core/text-values.ts';
import { pairedBootstrap, resampledMeans } from './paired-bootstrap.ts';

describe('worked examples', () => {
  test('Efron & Tibshirani 1993, table 2.2: the mean of seven treated mice, 86.86, has a bootstrap standard error of 23.36', () => {
    const means = resampledMeans(Float64Array.from([94, 197, 16, 38, 99, 141, 23]), 20_000, 'mice');
    const mean = means.reduce((sum, one) => sum + one, 0) / means.length;
    const variance = means.reduce((sum, one) => sum + (one - mean) ** 2, 0) / means.length;
    expect(mean).toBeCloseTo(86.86, 0);
    expect(Math.abs(Math.sqrt(variance) - 23.36)).toBeLessThan(0.3);
  });

  test('Student’s sleep data: mean 1.58 hours, near Student’s own 0.70 to 2.46, skewed towards the outlier', () => {
    // Hours divided by ten, because differences range from −1 to 1.
    const hours = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4];
    const found = pairedBootstrap(hours.map(tenth), 'sleep');
    expect(found).toMatchObject({ test: 'paired_bootstrap', difference: 0.158 });
    expect(found?.low).toBeGreaterThan(0.07);
    expect(found?.low).toBeLessThan(0.1);
    expect(found?.high).toBeGreaterThan(0.23);
    expect(found?.high).toBeLessThan(0.28);
    expect(found?.p).toBeLessThan(0.01);
  });

  test('Student’s sleep data repeated a hundred times uses Student’s t: 1.58 ± 1.96 × 1.1667 / √1000', () => {
    // The population standard deviation of the ten values is 1.1668.
    const hours = Array.from({ length: 100 }, () => [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4]).flat();
    const found = pairedBootstrap(hours.map(tenth), 'sleep');
    expect(found?.test).toBe('student_t');
    expect(found?.low).toBeCloseTo(0.158 - 0.00724, 4);
    expect(found?.high).toBeCloseTo(0.158 + 0.00724, 4);
    expect(found?.p).toBeLessThan(1e-100);
  });
});

test.each<[string, number[], object | null]>([
  ['no pairs', [], null],
  ['one pair has no interval', [0.4], null],
  [
    'no differences, with Newcombe’s interval',
    repeated(0, 40),
    { difference: 0, low: -0.087622, high: 0.087622, p: 1 },
  ],
  [
    'equal gains, with Wilson’s interval and the p-value of six coin tosses',
    repeated(0.2, 6),
    { difference: 0.2, low: 0.041118, high: 0.593082, p: 2 ** -5 },
  ],
  ['equal losses', repeated(-0.2, 6), { difference: -0.2, low: -0.593082, high: -0.041118, p: 2 ** -5 }],
  ['equal gains of 1', repeated(1, 6), { difference: 1, low: 0.609666, high: 1, p: 2 ** -5 }],
  ['a thousand equal gains', repeated(0.05, 1_000), { test: 'student_t', low: 0.03813, high: 0.065314 }],
  ['a thousand differences with a sum of 0', [...repeated(0.1, 500), ...repeated(-0.1, 500)], { difference: 0, p: 1 }],
  ['a sum of 0 despite floating-point errors', [0.1, 0.2, -0.3], { test: 'student_t', difference: 0, p: 1 }],
  ['five equal gains have no interval', repeated(0.2, 5), { difference: 0.2, low: null, high: null, p: 2 ** -4 }],
  ['two pairs have a wide interval', [0.4, 0.5], { test: 'student_t', difference: 0.45, low: -0.18531, high: 1 }],
])('%s', (_name, differences, expected) => {
  const found = pairedBootstrap(differences, 's');
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatchObject(expected);
});

test('covers the true mean although most samples have equal differences', () => {
  // Each difference is 0.5, or 0 with probability 0.05, so the true mean is 0.475. 60% of samples of 10 have no spread.
  const samples = Array.from({ length: 2_000 }, (_, sample) =>
    Array.from({ length: 10 }, (_, at) => (seededNumber(`${sample} ${at}`) < 0.05 ? 0 : 0.5)),
  );
  const covered = samples.filter((differences) => {
    const { low, high } = pairedBootstrap(differences, 's') ?? {};
    return (low ?? -1) <= 0.475 && 0.475 <= (high ?? 1);
  });
  expect(covered.length / samples.length).toBeGreaterThan(0.95);
});

describe('for any differences', () => {
  const differences = fc.array(
    fc.integer({ min: -100, max: 100 }).map((hundredths) => hundredths / 100),
    {
      minLength: 2,
      maxLength: 25,
    },
  );

  test('negated differences negate the result, and the interval contains the mean', () => {
    const property = fc.property(differences, fc.string(), (given, seed) => {
      const found = pairedBootstrap(given, seed);
      const swapped = pairedBootstrap(
        given.map((by) => 0 - by),
        seed,
      );
      if (found === null || swapped === null) throw new Error('nothing was found');
      expect(swapped.difference).toBe(0 - found.difference);
      if (found.low === null || found.high === null) {
        expect([swapped.low, swapped.high]).toEqual([null, null]);
        return;
      }
      expect(swapped.low).toBeCloseTo(-found.high, 9);
      expect(swapped.high).toBeCloseTo(-found.low, 9);
      expect(swapped.p).toBeCloseTo(found.p, 9);
      expect(found.low).toBeLessThanOrEqual(found.difference);
      expect(found.high).toBeGreaterThanOrEqual(found.difference);
      expect(found.low).toBeGreaterThanOrEqual(-1);
      expect(found.high).toBeLessThanOrEqual(1);
    });
    fc.assert(property, { numRuns: 12 });
  });

  test('p is below 0.05 exactly if the interval excludes 0', () => {
    const property = fc.property(differences, (given) => {
      const found = pairedBootstrap(given, 's');
      if (found === null || found.low === null || found.high === null) return;
      // Near 0.05 either value may be off by one resample.
      if (Math.abs(found.p - 0.05) < 0.005) return;
      expect(found.p < 0.05).toBe(found.low > 0 || found.high < 0);
    });
    fc.assert(property, { numRuns: 12 });
  });
});

function tenth(value: number): number {
  return value / 10;
}

function repeated(value: number, times: number): number[] {
  return Array.from({ length: times }, () => value);
}
