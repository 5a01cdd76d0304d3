import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spearman } from './spearman.ts';

type Pairs = [number, number][];
const IQ_AND_TELEVISION: Pairs = [
  [106, 7],
  [100, 27],
  [86, 2],
  [101, 50],
  [99, 28],
  [103, 29],
  [97, 20],
  [113, 12],
  [112, 6],
  [110, 17],
];

test.each<[string, Pairs, number]>([
  [
    'Wikipedia, “Spearman’s rank correlation coefficient”, IQ and hours of television: −29/165',
    IQ_AND_TELEVISION,
    -29 / 165,
  ],
  [
    'SciPy, example of spearmanr, with a tie',
    [
      [1, 5],
      [2, 6],
      [3, 7],
      [4, 8],
      [5, 7],
    ],
    0.8207826816681233,
  ],
  [
    'the same order',
    [
      [0.1, 3],
      [0.2, 30],
      [0.9, 31],
    ],
    1,
  ],
  [
    'the reverse order',
    [
      [1, 9],
      [2, 4],
      [3, 1],
    ],
    -1,
  ],
  [
    'two pairs',
    [
      [1, 1],
      [2, 2],
    ],
    1,
  ],
])('%s', (_name, pairs, rho) => {
  expect(spearman(pairs)?.rho).toBeCloseTo(rho, 6);
});

test('Bonett & Wright 2000: the interval is tanh(artanh ρ ± 1.96 √((1 + ρ²/2)/(n − 3)))', () => {
  // artanh(−0.175758) = −0.177604; √(1.015445/7) = 0.380872; ± 0.746496.
  const found = spearman(IQ_AND_TELEVISION);
  expect(found?.low).toBeCloseTo(Math.tanh(-0.177604 - 0.746496), 5);
  expect(found?.high).toBeCloseTo(Math.tanh(-0.177604 + 0.746496), 5);
});

test.each<[string, Pairs]>([
  ['no pairs', []],
  ['one pair', [[1, 2]]],
  [
    'a constant side',
    [
      [1, 2],
      [1, 3],
      [1, 4],
    ],
  ],
])('is unknown for %s', (_name, pairs) => {
  expect(spearman(pairs)).toBeNull();
});

test('three pairs and a perfect order have no interval', () => {
  expect(
    spearman([
      [1, 3],
      [2, 1],
      [3, 2],
    ]),
  ).toMatchObject({ low: null, high: null });
  expect(
    spearman([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [5, 5],
    ]),
  ).toMatchObject({ rho: 1, low: null, high: null });
});

test('depends only on ranks, is symmetric, and changes sign when one side is negated', () => {
  const pairs = fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })), { maxLength: 30 });
  fc.assert(
    fc.property(pairs, (given) => {
      const rho = spearman(given)?.rho;
      const close = (other: number | undefined, sign = 1) => {
        if (rho === undefined || other === undefined) expect(other).toBe(rho);
        else expect(other * sign).toBeCloseTo(rho, 5);
      };
      close(spearman(given.map(([one, other]) => [other, one]))?.rho);
      close(spearman(given.map(([one, other]) => [one ** 3, Math.exp(other)]))?.rho);
      close(spearman(given.map(([one, other]) => [-one, other]))?.rho, -1);
    }),
  );
});
