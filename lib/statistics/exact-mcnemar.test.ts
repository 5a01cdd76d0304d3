import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactMcNemar } from './cases-to-show.ts';

test.each([
  ['Fagerland, Lydersen & Laake 2013, airway measurements, exact conditional test: 0.070', 1, 7, 0.0703125],
  ['Armitage & Berry 1994, p. 127, two media for tubercle bacilli (StatsDirect gives 0.0129)', 12, 2, 0.012939453],
  ['nothing changed', 0, 0, 1],
  ['as many fixed as broken', 4, 4, 1],
  ['one fixed', 1, 0, 1],
  ['3 of 4: 2 · (4 + 1) / 16', 3, 1, 0.625],
  ['five of five: 2 / 32', 5, 0, 0.0625],
  ['six of six: 2 / 64', 6, 0, 0.03125],
  ['2 of 12: 2 · (1 + 12 + 66) / 4096', 2, 10, 0.038574],
])('%s', (_name, fixed, broken, p) => {
  expect(exactMcNemar(fixed, broken)).toBeCloseTo(p, 6);
});

test('is between 0 and 1, the same both ways, and smaller the more uneven', () => {
  fc.assert(
    fc.property(fc.nat(1_500), fc.nat(1_500), (fixed, broken) => {
      const p = exactMcNemar(fixed, broken);
      expect(p).toBeGreaterThanOrEqual(0);
      expect(p).toBeLessThanOrEqual(1);
      expect(exactMcNemar(broken, fixed)).toBe(p);
      if (fixed > broken && broken > 0) expect(exactMcNemar(fixed + 1, broken - 1)).toBeLessThanOrEqual(p);
    }),
    { numRuns: 200 },
  );
});
