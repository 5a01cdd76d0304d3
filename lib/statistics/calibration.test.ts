import { describe, expect, test } from 'vitest';
import { type Calibration, calibration, calibrationSchema, type JudgedInRun } from './calibration.ts';

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
