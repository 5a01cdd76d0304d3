import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Calibration, calibration, calibrationSchema, type JudgedInRun, spearman } from './calibration.ts';

/** Returns judgements of separate runs with the judge's score and the human verdict; the threshold is 0.8. */
function times(count: number, judge: number, isGood: boolean, more: Partial<JudgedInRun> = {}): JudgedInRun[] {
  return Array.from({ length: count }, (_, run) => ({
    runId: `${judge} ${isGood} ${run}`,
    version: 0,
    by: 'person' as const,
    criterion: null,
    judge,
    truth: isGood ? 1 : 0,
    judgePass: judge >= 0.8,
    truthPass: isGood,
    sameModel: false,
    ...more,
  }));
}

const EVEN = [...times(38, 0.9, true), ...times(9, 0.85, false), ...times(5, 0.7, true), ...times(32, 0.5, false)];

function found(pairs: JudgedInRun[], against: Calibration['against'] = 'person'): Calibration {
  const summed = calibration(against, pairs);
  expect(calibrationSchema.parse(summed)).toEqual(summed);
  return summed;
}

test('counts verdicts of both sides and agreement beyond chance', () => {
  expect(found(EVEN)).toMatchObject({
    n: 84,
    runs: 84,
    confusion: { bothGood: 38, letThrough: 9, heldBack: 5, neitherGood: 32 },
    agreement: { met: 70, of: 84 },
    kappa: { n: 84, kappa: 0.665719 },
    tooFewToTell: false,
    lean: { verdict: 'within_noise' },
    reading:
      'It agrees with people more often than by chance. Neither too lenient nor too strict beyond noise: 9 false passes, 5 false failures.',
  });
});

describe('the bias of the judge', () => {
  test.each([
    [
      'lenient',
      [...times(20, 0.9, true), ...times(10, 0.9, false), ...times(1, 0.5, true)],
      'Too lenient: 10 false passes, 1 false failure.',
    ],
    [
      'strict',
      [...times(20, 0.5, false), ...times(10, 0.5, true), ...times(1, 0.9, false)],
      'Too strict: 10 false failures, 1 false pass.',
    ],
  ] satisfies [string, JudgedInRun[], string][])('%s', (verdict, pairs, words) => {
    expect(found(pairs)).toMatchObject({ lean: { verdict } });
    expect(found(pairs).reading).toContain(words);
  });
});

test.each<[string, JudgedInRun[], string]>([
  ['no judgements', [], 'Nothing to compare with people yet.'],
  ['few judgements', times(9, 0.9, true), 'Too few judgements to tell: 9 of at least 10.'],
  ['only passes by both', times(10, 0.9, true), 'Whether it agrees with people beyond chance is unknown'],
  [
    'disagreement',
    [...times(20, 0.9, false), ...times(20, 0.5, true), ...times(1, 0.9, true)],
    'It agrees with people less often than by chance.',
  ],
  [
    'agreement by chance',
    [...times(5, 0.9, false), ...times(5, 0.9, true), ...times(5, 0.5, false), ...times(5, 0.5, true)],
    'Whether it agrees with people beyond chance is within noise.',
  ],
])('the reading of %s', (_name, pairs, words) => {
  expect(found(pairs).reading).toContain(words);
});

test('separates check results from human scores', () => {
  const checks = times(12, 0.9, false, { by: 'check', sameModel: true });
  expect(found([...EVEN, ...checks], 'check')).toMatchObject({ n: 12, sameModel: 12, confusion: { letThrough: 12 } });
  expect(found([...EVEN, ...checks]).n).toBe(84);
});

test('a verdict without a score counts as good or not good, but has no rank', () => {
  const words = times(12, 0.9, true, { truth: null });
  expect(found(words)).toMatchObject({ n: 12, spearman: null, agreement: { met: 12, of: 12 } });
  expect(found([...EVEN, ...words]).spearman?.n).toBe(84);
});

test('score bins include their lower bound, the last one includes 1, and empty bins are omitted', () => {
  const pairs = [...times(3, 0.3, false), ...times(2, 0.1 + 0.2, true), ...times(4, 1, true), ...times(1, 0.95, false)];
  expect(found(pairs).bins).toMatchObject([
    { from: 0.3, to: 0.4, met: 2, of: 5 },
    { from: 0.9, to: 1, met: 4, of: 5 },
  ]);
});

test('counts 21 other thresholds like a manual count', () => {
  const { whatIf } = found(EVEN);
  expect(whatIf).toHaveLength(21);
  for (const { threshold, bothGood, letThrough, heldBack, neitherGood, agreed } of whatIf) {
    const passing = EVEN.filter(({ judge }) => judge >= threshold);
    expect(bothGood).toBe(passing.filter(({ truthPass }) => truthPass).length);
    expect(letThrough).toBe(passing.length - bothGood);
    expect(heldBack).toBe(43 - bothGood);
    expect(neitherGood).toBe(41 - letThrough);
    expect(agreed).toBe(bothGood + neitherGood);
  }
});

test('the same number of judgements from fewer runs gives wider intervals', () => {
  const crowded = EVEN.map((pair, index) => ({ ...pair, runId: String(Math.floor(index / 7)) }));
  const width = ({ kappa }: Calibration) => (kappa?.high ?? 0) - (kappa?.low ?? 0);
  expect(found(crowded).kappa?.kappa).toBe(found(EVEN).kappa?.kappa);
  expect(width(found(crowded))).toBeGreaterThan(1.2 * width(found(EVEN)));
});

test.each<[string, JudgedInRun[], string]>([
  ['always agrees', [...times(9, 0.9, true), ...times(9, 0.5, false)], 'It agrees with people in all judgements,'],
  ['never agrees', [...times(9, 0.5, true), ...times(9, 0.9, false)], 'It disagrees with people in all judgements,'],
  ['always passes', [...times(9, 0.9, true), ...times(9, 0.9, false)], 'one side always gave the same judgement'],
])('kappa of a judge that %s has no interval', (_name, pairs, words) => {
  expect(found(pairs)).toMatchObject({ kappa: { low: null, high: null }, reading: expect.stringContaining(words) });
});

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
