import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededNumber } from '#lib/core/text-values.ts';
import { wilsonInterval } from './intervals.ts';
import { type Cluster, clusteredShare } from './shares.ts';

const of = (...pairs: [number, number][]): Cluster[] => pairs.map(([met, size]) => ({ met, of: size }));

describe('success share with several runs per case', () => {
  test.each([
    { name: 'no runs', clusters: of(), expected: null },
    { name: 'one run per case', clusters: of([1, 1], [0, 1], [1, 1]), expected: wilsonInterval(2, 3) },
    { name: 'a single case', clusters: of([3, 5]), expected: wilsonInterval(3, 5) },
    {
      name: 'equal runs within each case count as one',
      clusters: of([4, 4], [4, 4], [0, 4]),
      expected: wilsonInterval(2, 3),
    },
    { name: 'all solved count as one per case', clusters: of([4, 4], [4, 4]), expected: wilsonInterval(2, 2) },
    {
      name: 'equal cases count for more than one run each',
      clusters: of([2, 4], [2, 4], [2, 4], [2, 4], [2, 4], [2, 4]),
      // 24 runs, reduced by the quantiles for 6 cases: t(5) = 2.57058.
      expected: wilsonInterval(12 * (1.959964 / 2.57058) ** 2, 24 * (1.959964 / 2.57058) ** 2),
    },
    // By hand: shares 1, 0.5, 0, p = 0.5; squares (2-1)², 0, (0-1)² = 2; variance 3/2 × 2 / 6² = 1/12; 0.25 / (1/12) = 3.
    { name: 'calculated by hand', clusters: of([2, 2], [1, 2], [0, 2]), expected: wilsonInterval(1.5, 3) },
  ])('$name', ({ clusters, expected }) => {
    const found = clusteredShare(clusters);
    if (expected === null) return expect(found).toBeNull();
    expect(found?.share).toBeCloseTo(expected.share, 12);
    expect(found?.low).toBeCloseTo(expected.low, 12);
    expect(found?.high).toBeCloseTo(expected.high, 12);
  });

  test.each([3, 5, 10])('covers the true share of %i cases with ten runs each', (cases) => {
    // The chance of a case is 0.05, 0.5 or 0.95 with equal probability, so the true share is 0.5.
    const covered = Array.from({ length: 2_000 }, (_, sample) => {
      const draw = (name: string) => seededNumber(`share ${cases} ${sample} ${name}`);
      return clusteredShare(
        Array.from({ length: cases }, (_case, at) => {
          const chance = 0.05 + 0.45 * Math.floor(3 * draw(`case ${at}`));
          const runs = Array.from({ length: 10 }, (_run, run) => draw(`case ${at} run ${run}`) < chance);
          return { met: runs.filter(Boolean).length, of: 10 };
        }),
      );
    }).filter((found) => found !== null && found.low <= 0.5 && 0.5 <= found.high);
    expect(covered.length / 2_000).toBeGreaterThan(0.93);
  });

  test('the interval is between those with each run and with each case counted as independent', () => {
    const cluster = fc.integer({ min: 0, max: 5 }).map((met) => ({ met, of: 5 }));
    fc.assert(
      fc.property(fc.array(cluster, { minLength: 2, maxLength: 30 }), (clusters) => {
        const found = clusteredShare(clusters);
        const successes = clusters.reduce((sum, one) => sum + one.met, 0);
        const [runs, cases] = [clusters.length * 5, clusters.length];
        const [narrow, wide] = [wilsonInterval(successes, runs), wilsonInterval(successes / 5, cases)];
        if (found === null || narrow === null || wide === null) throw new Error('no interval');
        expect(found.share).toBeCloseTo(successes / runs, 12);
        expect(found.high - found.low).toBeGreaterThanOrEqual(narrow.high - narrow.low - 1e-9);
        expect(found.high - found.low).toBeLessThanOrEqual(wide.high - wide.low + 1e-9);
      }),
    );
  });
});
