import fc from 'fast-check';
import { probit } from 'simple-statistics';
import { describe, expect, test } from 'vitest';
import { seededNumber } from '#lib/core/text-values.ts';
import { sequentialTest } from './sequential-test.ts';

const GOALS = { falseAcceptance: 0.05, smallestGain: 0.1, least: 4 };
const noise = (sigma: number) => ({ variance: 2 * sigma ** 2, pairs: 8 });

/** Returns a normally distributed number seeded by the keys (Box and Muller 1958). */
function normal(...keys: string[]): number {
  const [one, other] = ['a', 'b'].map((key) => seededNumber(...keys, key));
  return Math.sqrt(-2 * Math.log(1 - (one ?? 0))) * Math.cos(2 * Math.PI * (other ?? 0));
}

/** Returns the paired differences of a trial: two scores between 0 and 1 with the given noise. */
function differences(trial: number, sigma: number, gain: number, length: number): number[] {
  const score = (at: number, arm: string, mean: number) =>
    Math.min(1, Math.max(0, mean + sigma * normal(String(trial), String(at), arm)));
  return Array.from({ length }, (_pair, at) => {
    const base = 0.3 + 0.3 * seededNumber('base', String(trial), String(at));
    return score(at, 'new', base + gain) - score(at, 'old', base);
  });
}

/** Number of pairs that a one-sided fixed-size test with known noise needs for the same error rates: (z₁₋ᶠ + zₚ)² × variance / gain². */
const fixedSize = (sigma: number, { falsely, found }: { falsely: number; found: number }) =>
  Math.ceil(((probit(1 - falsely) + probit(found)) ** 2 * 2 * sigma ** 2) / GOALS.smallestGain ** 2);

const TRIALS = 500;

describe.each([0.1, 0.2])('500 trials with noise %d', (sigma) => {
  const decided = (gain: number) =>
    Array.from({ length: TRIALS }, (_trial, trial) =>
      sequentialTest(differences(trial, sigma, gain, 200), noise(sigma), GOALS),
    );
  const share = (gain: number) => decided(gain).filter(({ verdict }) => verdict === 'better').length / TRIALS;

  test('accept at most 5% of the proposals without effect', () => {
    expect(share(0)).toBeLessThanOrEqual(0.05);
  });

  test('detect a gain of 0.1 in at least 80%', () => {
    expect(share(GOALS.smallestGain)).toBeGreaterThanOrEqual(0.8);
  });

  test('need at most half the pairs of a fixed-size test if a proposal has no effect', () => {
    const pairs = decided(0).reduce((sum, { n }) => sum + n, 0) / TRIALS;
    const chances = { falsely: share(0), found: share(GOALS.smallestGain) };
    expect(pairs / fixedSize(sigma, chances)).toBeLessThanOrEqual(0.5);
  });

  test('accept at most 1% of the worse proposals', () => {
    expect(share(-0.05)).toBeLessThanOrEqual(0.01);
  });
});

test('later measurements do not change the result', () => {
  const difference = fc.integer({ min: -10, max: 10 }).map((tenths) => tenths / 10);
  fc.assert(
    fc.property(fc.array(difference, { maxLength: 60 }), fc.array(difference, { maxLength: 20 }), (seen, later) => {
      const before = sequentialTest(seen, noise(0.1), GOALS);
      const after = sequentialTest([...seen, ...later], noise(0.1), GOALS);
      if (before.verdict === 'open') expect(before.n).toBe(seen.length);
      else expect(after).toEqual(before);
    }),
  );
});

test.each([
  { name: 'no measurements', seen: [], expected: { verdict: 'open', n: 0 } },
  { name: 'no difference', seen: Array(20).fill(0), expected: { verdict: 'no_gain', n: 5 } },
  { name: 'a gain on too few pairs', seen: Array(3).fill(0.3), expected: { verdict: 'open', n: 3 } },
  { name: 'a gain on enough pairs', seen: Array(20).fill(0.2), expected: { verdict: 'better', n: 5 } },
  { name: 'no gain on too few pairs', seen: [-1, -1, -1], expected: { verdict: 'open', n: 3 } },
])('$name', ({ seen, expected }) => {
  expect(sequentialTest(seen, noise(0.1), GOALS)).toEqual(expected);
});
