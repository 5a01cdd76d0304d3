import { describe, expect, test } from 'vitest';
import { type ArmCase, compareArms } from '#lib/compare/compare-arms.ts';
import type { Comparison, ComparisonArm } from '#lib/compare/schema.ts';
import { effortLabel, excludedRunsLabel } from './arm-pane.tsx';
import { axisTicks } from './difference-charts.tsx';
import {
  comparisonTitle,
  detectableDifference,
  differenceLabel,
  passAtKLabel,
  secondVerdict,
  verdictNumbers,
  verdictTitle,
} from './labels.ts';

/** Builds an arm with one case per score. A score of 1 counts as solved. */
function arm(name: string, scores: readonly (number | null)[]) {
  const cases = scores.map(
    (score, at): ArmCase => ({
      caseKey: `case ${at}`,
      runs: 1,
      judged: 1,
      solved: score === 1 ? 1 : 0,
      score,
      costUsd: 0.01,
    }),
  );
  return { arm: name, cases };
}

function against(before: readonly (number | null)[], after: readonly (number | null)[]) {
  const [one] = compareArms([arm('A', before), arm('B', after)], { metric: 'score' }).against;
  if (one === undefined) throw new Error('nothing was compared');
  return one;
}

const LOW = Array.from({ length: 24 }, (_, at) => 0.5 + (at % 3) / 100);
const HIGH = LOW.map((score) => score + 0.2);

describe('verdict labels', () => {
  test.each([
    ['better', LOW, HIGH, 'Better than A', /^by the score: mean \+0\.20, 95% \+0\.\d\d to \+0\.\d\d, p /],
    ['worse', HIGH, LOW, 'Worse than A', /^by the score: mean −0\.20, 95% −0\.\d\d to −0\.\d\d, p /],
    ['no difference', LOW, LOW, 'Within noise', /^by the score: mean 0\.00, 95% −0\.14 to \+0\.14, p = 1\.00$/],
    ['few cases', LOW.slice(0, 3), HIGH.slice(0, 3), 'Too few cases to tell', /^by the score: mean \+0\.20/],
    ['no cases', [null], [0.5], 'Too few cases to tell', /^no case is scored in both$/],
  ])('shows title and signed numbers: %s', (_name, before, after, title, numbers) => {
    const { score } = against(before, after);
    expect(verdictTitle(score.verdict, 'A')).toBe(title);
    expect(verdictNumbers(score)).toMatch(numbers);
  });

  test('labels the second measure in both directions', () => {
    const [solves, fails] = [LOW.map(() => 1), LOW];
    const up = secondVerdict(against(fails, solves).solved);
    const down = secondVerdict(against(solves, fails).solved);
    expect(up).toEqual({
      sentence: 'Solved 24 of 24: 24 gained, 0 lost. McNemar p < 0.001',
      verdict: 'better by more than noise',
    });
    expect(down).toEqual({
      sentence: 'Solved 0 of 24: 0 gained, 24 lost. McNemar p < 0.001',
      verdict: 'worse by more than noise',
    });
    expect(secondVerdict(against(fails, solves).score).sentence).toMatch(
      /^Mean best score 1\.00 against 0\.51: \+0\.49/,
    );
  });

  test('adds the Holm-adjusted p if it differs', () => {
    const mixed = LOW.map((score, at) => score + (at % 3 === 0 ? -0.05 : 0.05));
    const [one] = compareArms([arm('A', LOW), arm('B', mixed), arm('C', LOW)], { metric: 'score' }).against;
    expect(one === undefined ? '' : verdictNumbers(one.score)).toMatch(/, p = 0\.\d+, 0\.\d+ after Holm$/);
  });
});

test.each([
  ['score', 0.064, '+0.06'],
  ['score', -0.126, '−0.13'],
  ['score', -0.004, '0.00'],
  ['solved', 0.25, '+25 points'],
  ['solved', -0.084, '−8 points'],
  ['solved', 0, '0 points'],
] as const)('a difference in %s of %d reads %s', (metric, difference, words) => {
  expect(differenceLabel(metric, difference)).toBe(words);
});

test('a small difference beyond noise does not read as 0', () => {
  const before = Array.from({ length: 40 }, (_, at) => 0.5 + (at % 3) / 100);
  const after = before.map((score, at) => score + 0.002 + (at % 4) / 1_000);
  const { score } = against(before, after);
  expect(score.verdict).toBe('better');
  expect(verdictNumbers(score)).toMatch(/mean \+0\.004, 95% \+0\.003 to \+0\.004,/);
  expect(score.reading).toMatch(/\(\+0\.004, 95% \+0\.003 to \+0\.004;/);
});

const COUNTED = { runs: 40, underWay: 0, failed: 0, unscoredRuns: 0 };

test.each([
  { name: 'nothing to say', arm: COUNTED, expected: [] },
  {
    name: 'runs in progress',
    arm: { ...COUNTED, underWay: 3 },
    expected: [
      '3 runs of B in progress, not counted yet.',
      'Verdicts are preliminary until all runs have ended: a difference seen on the way is often only noise.',
    ],
  },
  {
    name: 'a few unscored runs',
    arm: { ...COUNTED, unscoredRuns: 2 },
    expected: ['2 runs of B have no score and do not count.'],
  },
  {
    name: 'unscored much more often',
    arm: { ...COUNTED, unscoredRuns: 9 },
    expected: [
      '9 runs of B have no score and do not count.',
      'Runs of B have no score significantly more often than those of A, so the verdict can be wrong.',
    ],
  },
])('says what a verdict does not count: $name', ({ arm: other, expected }) => {
  expect(excludedRunsLabel([COUNTED, other])).toEqual(expected);
});

test('says that the baseline is unscored more often', () => {
  expect(excludedRunsLabel([{ ...COUNTED, unscoredRuns: 9 }, COUNTED])).toContain(
    'Runs of A have no score significantly more often than those of B, so the verdict can be wrong.',
  );
});

test('detectableDifference returns half the width of the widest interval', () => {
  const base = against(LOW, HIGH).score;
  const result = (low: number, high: number) => ({ ...base, low, high });
  expect(detectableDifference([result(-0.02, 0.04), result(0.01, 0.11)])).toEqual({ n: 24, size: '0.05' });
  expect(detectableDifference([{ ...result(-0.1, 0.3), metric: 'solved' }])).toEqual({ n: 24, size: '20 points' });
  expect(detectableDifference([{ ...base, low: null, high: null }])).toBeNull();
});

test.each([
  ['both signs', -0.13, 0.33, [-0.2, 0, 0.2, 0.4]],
  ['gains only', 0.2, 0.61, [0, 0.2, 0.4, 0.6, 0.8]],
  ['losses only', -0.034, -0.01, [-0.04, -0.03, -0.02, -0.01, 0]],
  ['no differences', 0, 0, [0, 0.01]],
  ['a difference of 1', -1, 1, [-1, -0.5, 0, 0.5, 1]],
])('the axis for %s has round ticks and includes 0', (_name, low, high, ticks) => {
  expect(axisTicks(low, high)).toEqual(ticks);
});

type Effort = Comparison['effort']['arms'][number];

/** The part of a comparison that effortLabel reads: arms in retry mode with their maximum number of attempts. */
function comparison(efforts: Partial<Effort>[], cut: Comparison['cut'] = null) {
  const arms = efforts.map((effort) => ({
    mostVersions: 4,
    spent: 1,
    spentIn: 'cost' as const,
    hasOtherBudget: false,
    ...effort,
  }));
  return {
    arms: arms.map(() => ({ mode: 'retry' })),
    effort: { arms, hasOtherLimits: false, hasOtherSpend: false },
    cut,
  };
}

/** A comparison cut to `versions` attempts, with scores that differ by `by` on every case. */
function cutBy(versions: number, by: number): Comparison['cut'] {
  const cases = (more: number) =>
    Array.from({ length: 12 }, (_, at) => ({
      caseKey: String(at),
      title: '',
      runs: 1,
      judged: 1,
      solved: 0,
      score: 0.4 + at / 100 + more,
      costUsd: 0,
    }));
  const compared = compareArms([
    { arm: 'A', cases: cases(0) },
    { arm: 'B', cases: cases(by) },
  ]);
  return { versions, against: compared.against.map(({ score }) => score) };
}

describe('effortLabel', () => {
  test.each([
    ['equal', [{}, {}], []],
    ['slightly higher', [{}, { spent: 1.2 }], []],
    ['from different caps', [{}, { mostVersions: 5 }, {}], ['A and C may use 4 attempts, B may use 5 attempts.']],
    ['from different budgets', [{}, { hasOtherBudget: true }], ['B has another budget than A.']],
    ['higher', [{}, { spent: 1.5 }], ['A run of B cost 1.5 times as much as one of A.']],
    ['lower', [{}, { spent: 0.5, spentIn: 'tokens' }], ['A run of B took 50% as many tokens as one of A.']],
    ['unknown', [{}, { spent: null, spentIn: null }], []],
  ] as const)('describes effort that is %s', (_name, efforts, words) => {
    expect(effortLabel(comparison(efforts.map((effort) => ({ ...effort }))))).toEqual(words);
  });

  test.each([
    ['better', 0.1, /B has \+0\.10 on A, 95% \+0\.\d+ to \+0\.\d+, p .+: better than A\.$/],
    ['worse', -0.1, /B has −0\.10 on A, 95% −0\.\d+ to −0\.\d+, p .+: worse than A\.$/],
    ['within noise', 0, /B has 0\.00 on A.*: within noise\.$/],
  ] as const)('after a cut to the same number of attempts, the result is %s', (_name, by, words) => {
    const [caps, cut] = effortLabel(comparison([{}, { mostVersions: 5 }], cutBy(4, by)));
    expect(caps).toBe('A may use 4 attempts, B may use 5 attempts.');
    expect(cut).toMatch(/^With every run cut to 4 attempts, /);
    expect(cut).toMatch(words);
  });
});

const at = (k: number, n: number, mean: number) => ({ k, n, mean, low: mean - 0.1, high: mean + 0.1 });

test.each([
  ['shows nothing with one run per case', [], null],
  [
    'shows two runs per case',
    [at(1, 8, 0.4), at(2, 8, 0.6)],
    'A single run solves a case 40% (30 to 50) of the time. At least one of 2 runs does 60% (50 to 70) of the time (8 cases).',
  ],
  [
    'omits a run count that only a few cases have',
    [at(1, 8, 0.4), at(2, 5, 0.6), at(3, 1, 0.9)],
    'A single run solves a case 40% (30 to 50) of the time. At least one of 2 runs does 60% (50 to 70) of the time (5 cases).',
  ],
  ['shows nothing if only a few cases have repeated runs', [at(1, 8, 0.4), at(2, 1, 0.6)], null],
  [
    'shows no interval for one case',
    [
      { ...at(1, 1, 0.5), low: null, high: null },
      { ...at(2, 1, 1), low: null, high: null },
    ],
    'A single run solves a case 50% of the time. At least one of 2 runs does 100% of the time (1 case).',
  ],
])('%s', (_name, passAtK, words) => {
  expect(passAtKLabel(passAtK)).toBe(words);
});

describe('comparisonTitle', () => {
  const LONG = 'Answers to customers '.repeat(10);
  const named = (experimentId: string, experimentName: string, version = 1) => ({
    ...({} as ComparisonArm),
    ...{ experimentId, experimentName, version },
  });

  test.each([
    ['two experiments', [named('a', 'Sums'), named('b', 'Sums, one attempt')], 'Sums, one attempt against Sums'],
    ['two versions of one experiment', [named('a', 'Sums', 1), named('a', 'Sums', 2)], 'Sums: v1 and v2'],
    ['two experiments with the same name', [named('a', 'Sums', 1), named('b', 'Sums', 2)], 'Sums v2 against Sums v1'],
    [
      'two experiments with the same name and version',
      [named('a', 'Sums'), named('b', 'Sums')],
      'B: Sums against A: Sums',
    ],
  ])('names %s', (_name, arms, title) => {
    expect(comparisonTitle(arms).title).toBe(title);
  });

  test('distinguishes long names with the same beginning and stays short', () => {
    const { title } = comparisonTitle([named('a', LONG), named('b', `${LONG}, changed`)]);
    const [one, other] = title.split(' against ');
    expect(one).not.toBe(other);
    expect(title.length).toBeLessThan(160);
    expect(comparisonTitle([named('a', LONG, 1), named('a', LONG, 2)]).title.length).toBeLessThan(90);
  });
});
