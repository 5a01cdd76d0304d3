import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signTest, weightedSignTest } from './sign-test.ts';

test.each([
  ['Fagerland, Lydersen & Laake 2013, airway measurements, exact conditional test: 0.070', 1, 7, 0.0703125],
  ['Armitage & Berry 1994, p. 127, two media for tubercle bacilli (StatsDirect gives 0.0129)', 12, 2, 0.012939453],
  ['no changes', 0, 0, 1],
  ['as many better as worse', 4, 4, 1],
  ['one better', 1, 0, 1],
  ['3 of 4: 2 · (4 + 1) / 16', 3, 1, 0.625],
  ['five of five: 2 / 32', 5, 0, 0.0625],
  ['six of six: 2 / 64', 6, 0, 0.03125],
  ['2 of 12: 2 · (1 + 12 + 66) / 4096', 2, 10, 0.038574],
])('%s', (_name, better, worse, p) => {
  expect(signTest(better, worse)).toBeCloseTo(p, 6);
});

test.each([
  ['as many as their shares of the runs', 10, 20, 1 / 3, 1],
  ['more than its share: 2 · P(X ≥ 9 of 10 at 1/3)', 9, 1, 1 / 3, 0.000711],
  ['fewer than its share: 2 · P(X = 0 of 6 at 2/3)', 0, 6, 2 / 3, 0.002743],
  ['every event on the only side', 0, 3, 0, 1],
])('weighs both sides by their share: %s', (_name, better, worse, share, p) => {
  expect(signTest(better, worse, share)).toBeCloseTo(p, 6);
  expect(signTest(worse, better, 1 - share)).toBeCloseTo(p, 6);
});

test('the sign test is between 0 and 1, symmetric, and decreases with imbalance', () => {
  fc.assert(
    fc.property(fc.nat(1_500), fc.nat(1_500), (better, worse) => {
      const p = signTest(better, worse);
      expect(p).toBeGreaterThanOrEqual(0);
      expect(p).toBeLessThanOrEqual(1);
      expect(signTest(worse, better)).toBe(p);
      if (better > worse && worse > 0) expect(signTest(better + 1, worse - 1)).toBeLessThanOrEqual(p);
    }),
    { numRuns: 200 },
  );
});

const change = fc.integer({ min: -4, max: 4 }).map((quarters) => quarters / 2);

/** Exact p-value by enumerating all sign combinations. */
function byEnumeration(changes: readonly number[]): number {
  const changed = changes.filter((one) => one !== 0);
  const observed = Math.abs(changed.reduce((sum, one) => sum + one, 0));
  if (observed === 0) return 1;
  let extreme = 0;
  for (let signs = 0; signs < 2 ** changed.length; signs++) {
    const sum = changed.reduce((total, one, at) => total + Math.abs(one) * ((signs >> at) & 1 ? 1 : -1), 0);
    if (Math.abs(sum) >= observed - 1e-9) extreme++;
  }
  return extreme / 2 ** changed.length;
}

test('equals the sign test for equal weights', () => {
  const counts = fc.nat(60);
  fc.assert(
    fc.property(counts, counts, fc.constantFrom(1, 3, 0.25), (better, worse, weight) => {
      const changes = [...Array(better).fill(weight), ...Array(worse).fill(-weight), 0];
      expect(weightedSignTest(changes)).toBeCloseTo(signTest(better, worse), 10);
    }),
  );
});

test('equals full enumeration for other weights', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 11 }), (changes) => {
      expect(weightedSignTest(changes)).toBeCloseTo(byEnumeration(changes), 10);
    }),
  );
});

test.each([
  { name: 'no changes', changes: [0, 0], p: 1 },
  { name: 'equal weight improved and declined', changes: [3, -1, -2], p: 1 },
  { name: 'all cases improved', changes: [5, 1, 1, 1, 1, 1], p: 2 / 2 ** 6 },
])('$name', ({ changes, p }) => {
  expect(weightedSignTest(changes)).toBeCloseTo(p, 10);
});

test('rounds very fine weights and gives nearly the same p-value', () => {
  const changes = [Math.PI, -Math.E, Math.SQRT2, 1.5, -0.7, 2.2, 3.3];
  expect(weightedSignTest(changes)).toBeCloseTo(byEnumeration(changes), 10);
  const many = Array.from({ length: 2_000 }, (_case, at) => (at % 3 === 0 ? -1 : 1) * (1 + ((at * 7) % 100) / 101));
  expect(weightedSignTest(many)).toBeLessThan(1e-6);
});
