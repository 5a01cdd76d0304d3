import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ArmCase,
  type ArmCases,
  armComparisonSchema,
  caseChange,
  chooseMetric,
  compareArms,
} from './compare-arms.ts';

/** An arm over cases a, b, c …, given as [solved, score] of one run each. */
function arm(name: string, ...cases: [number, number | null][]): ArmCases {
  return { arm: name, cases: cases.map(([solved, score], index) => caseOf(letter(index), { solved, score })) };
}

function caseOf(caseKey: string, more: Partial<ArmCase> = {}): ArmCase {
  return { caseKey, runs: 1, judged: more.runs ?? 1, solved: 0, score: null, costUsd: 0.01, ...more };
}

function letter(index: number): string {
  return String.fromCodePoint(97 + index);
}

function times(count: number, solved: number, score: number | null): [number, number | null][] {
  return Array.from({ length: count }, () => [solved, score]);
}

/** `HIGH` solves eight of 20 cases that `LOW` does not. Nothing else differs. */
const LOW = arm('low', ...times(8, 0, 0.4), ...times(12, 1, 0.9));
const HIGH = arm('high', ...times(8, 1, 0.8), ...times(12, 1, 0.9));

describe('direction by sign and verdict', () => {
  test.each([
    {
      name: 'more solved is better',
      arms: [LOW, HIGH],
      verdict: 'better',
      sign: 1,
      word: /^Better than the baseline: solved 100% against 60% \(\+40 points, 95% \+\d+ to \+\d+; 8 better, 0 worse of 20 cases;/,
    },
    {
      name: 'fewer solved is worse',
      arms: [HIGH, LOW],
      verdict: 'worse',
      sign: -1,
      word: /^Worse than the baseline: solved 60% against 100% \(−40 points, 95% −\d+ to −\d+; 0 better, 8 worse of 20 cases;/,
    },
  ])('$name', ({ arms, verdict, sign, word }) => {
    const [found] = compareArms(arms, { metric: 'solved' }).against;
    expect(found).toMatchObject({ verdict, solved: { verdict, test: 'mcnemar_exact', p: 2 / 2 ** 8 } });
    expect(Math.sign(found?.solved.difference ?? 0)).toBe(sign);
    expect(Math.sign(found?.solved.low ?? 0)).toBe(sign);
    expect(Math.sign(found?.solved.high ?? 0)).toBe(sign);
    expect(found?.solved.reading).toMatch(word);
  });

  test.each([
    {
      name: 'higher scores are better',
      arms: [LOW, HIGH],
      verdict: 'better',
      sign: 1,
      word: /^Better than the baseline: mean best score 0.86 against 0.70 \(\+0.16, 95% \+0.\d\d to \+0.\d\d; 8 better, 0 worse/,
    },
    {
      name: 'lower scores are worse',
      arms: [HIGH, LOW],
      verdict: 'worse',
      sign: -1,
      word: /^Worse than the baseline: mean best score 0.70 against 0.86 \(−0.16, 95% −0.\d\d to −0.\d\d; 0 better, 8 worse/,
    },
  ])('$name', ({ arms, verdict, sign, word }) => {
    const found = compareArms(arms);
    expect(found.metric).toBe('score');
    expect(found.against[0]).toMatchObject({ verdict, score: { verdict, test: 'paired_bootstrap' } });
    expect(Math.sign(found.against[0]?.score.difference ?? 0)).toBe(sign);
    expect(found.against[0]?.score.reading).toMatch(word);
  });

  test('any arm can be the baseline', () => {
    const found = compareArms([LOW, HIGH], { baseline: 'high' });
    expect(found).toMatchObject({ baseline: 'high', against: [{ arm: 'low', verdict: 'worse' }] });
    expect(() => compareArms([LOW, HIGH], { baseline: 'other' })).toThrow('the baseline other is not an arm');
    expect(() => compareArms([])).toThrow('(none)');
  });

  test.each([
    ['better', { solved: 0, score: 0.3 }, { solved: 1, score: 0.1 }, 'better', 'worse'],
    ['the same to 6 decimals', { solved: 1, score: 0.1 + 0.2 }, { solved: 1, score: 0.3 }, 'same', 'same'],
    ['unscored', { solved: 0, score: null }, { solved: 0, score: 0.9 }, 'same', null],
    ['never judged', { solved: null, score: null }, { solved: 0, score: 0.9 }, null, null],
    ['not run', null, { solved: 0, score: 0.9 }, null, null],
  ] as const)('case change: %s', (_name, before, after, solved, score) => {
    expect([caseChange('solved', before, after), caseChange('score', before, after)]).toEqual([solved, score]);
  });
});

describe('verdicts for noise', () => {
  test.each<[string, ArmCases[], object]>([
    [
      'nothing changed',
      [LOW, { ...LOW, arm: 'again' }],
      { verdict: 'within_noise', solved: { p: 1, difference: 0 }, score: { p: 1, low: -0.161125, high: 0.161125 } },
    ],
    [
      'as many gains as losses',
      [arm('a', ...times(5, 0, 0.2), ...times(5, 1, 0.8)), arm('b', ...times(5, 1, 0.8), ...times(5, 0, 0.2))],
      { verdict: 'within_noise', solved: { p: 1 }, better: 5, worse: 5 },
    ],
    [
      'five gains of five are too few',
      [arm('a', ...times(5, 0, 0.2)), arm('b', ...times(5, 1, 0.8))],
      { verdict: 'too_few', solved: { verdict: 'too_few', n: 5, pHolm: null } },
    ],
    [
      'six gains of six are enough',
      [arm('a', ...times(6, 0, 0.2)), arm('b', ...times(6, 1, 0.8))],
      { verdict: 'better', solved: { p: 0.03125 } },
    ],
    [
      'no shared cases',
      [arm('a', [0, 0.2]), { arm: 'b', cases: [caseOf('z', { score: 0.5 })] }],
      {
        verdict: 'too_few',
        pairs: 0,
        onlyBaseline: 1,
        onlyArm: 1,
        score: {
          n: 0,
          difference: null,
          low: null,
          p: null,
          test: null,
          reading: 'Nothing to compare: no case has a result on both sides.',
        },
      },
    ],
    [
      'an arm without cases',
      [LOW, { arm: 'b', cases: [] }],
      { verdict: 'too_few', pairs: 0, onlyBaseline: 20, onlyArm: 0 },
    ],
    [
      'one case',
      [arm('a', [0, 0.2]), arm('b', [1, 0.8])],
      { verdict: 'too_few', pairs: 1, score: { n: 1, difference: 0.6, low: null, p: null } },
    ],
    [
      'unscored cases are omitted, never counted as 0',
      [arm('a', ...times(7, 1, 0.5), ...times(9, 1, null)), arm('b', ...times(7, 1, 0.5), ...times(9, 1, 0.5))],
      { pairs: 16, unscored: 9, same: 7, score: { n: 7, baseline: 0.5, difference: 0 } },
    ],
  ])('%s', (_name, arms, expected) => {
    expect(compareArms(arms).against[0]).toMatchObject(expected);
  });

  test('applies Holm correction: a result significant alone is not among four arms', () => {
    const baseline = arm('base', ...times(7, 0, null), ...times(13, 1, null));
    const lead = arm('lead', ...times(6, 1, null), [0, null], ...times(13, 1, null));
    const equal = ['x', 'y', 'z'].map((name) => ({ ...baseline, arm: name }));
    expect(compareArms([baseline, lead]).against[0]?.verdict).toBe('better');
    const [found] = compareArms([baseline, lead, ...equal]).against;
    expect(found?.solved).toMatchObject({ verdict: 'within_noise', p: 0.03125, pHolm: 0.125 });
    expect(found?.solved.reading).toContain('McNemar’s exact test p = 0.031, 0.125 with 4 arms counted (Holm)');
  });

  test('an arm with too few pairs does not count toward the Holm correction', () => {
    const few = { arm: 'few', cases: HIGH.cases.slice(0, 3) };
    expect(compareArms([LOW, few, HIGH], { metric: 'solved' }).against[1]?.solved).toMatchObject({
      p: 0.0078125,
      pHolm: 0.0078125,
    });
  });
});

describe('several runs of a case', () => {
  const cases = (shares: number[]) =>
    shares.map((solved, index) => caseOf(letter(index), { runs: 4, solved, score: solved }));
  const found = compareArms([
    { arm: 'a', cases: cases([0, 0.25, 0.5, 0.25, 0.5, 0, 0.75, 0.25]) },
    { arm: 'b', cases: cases([0.5, 0.5, 0.75, 0.75, 1, 0.25, 1, 0.75]) },
  ]);

  test('count as one case, by the share solved', () => {
    expect(found.metric).toBe('solved');
    expect(found.against[0]).toMatchObject({
      pairs: 8,
      verdict: 'better',
      solved: { n: 8, test: 'paired_bootstrap', baseline: 0.3125, arm: 0.6875 },
    });
    expect(found.arms[0]).toMatchObject({ cases: 8, runs: 32, costUsd: 0.32, solved: { n: 8, mean: 0.3125 } });
    expect(found.arms[0]?.costPerSolvedUsd).toBeCloseTo(0.032, 12);
  });

  test('give pass@k: 1 is the share solved, 4 is the share solved at least once', () => {
    const shares = found.arms[0]?.passAtK.map(({ mean }) => mean) ?? [];
    expect(shares).toHaveLength(4);
    expect(shares[0]).toBeCloseTo(0.3125, 6);
    expect(shares[3]).toBeCloseTo(6 / 8, 6);
    expect(found.arms[0]?.passAtK[3]).toMatchObject({ k: 4, n: 8, low: 0.409275, high: 0.928521 });
    expect(compareArms([LOW]).arms[0]?.passAtK).toEqual([]);
  });
});

test("uses Student's t for scores from 1,000 pairs and reports the test", () => {
  const many = (name: string, lead: number) => ({
    arm: name,
    cases: Array.from({ length: 1_000 }, (_, index) =>
      caseOf(String(index), { score: ((index * 7 + lead * 31) % 50) / 100 + lead / 100 }),
    ),
  });
  const [found] = compareArms([many('a', 0), many('b', 1)]).against;
  expect(found?.score.test).toBe('student_t');
  expect(found?.score.reading).toContain('Student’s t on the differences');
});

test.each<[string, ArmCases[], string]>([
  ['scores between 0 and 1', [LOW], 'score'],
  ['pass or fail scores', [arm('a', [1, 1], [0, 0])], 'solved'],
  [
    'means of pass or fail scores over several runs',
    [{ arm: 'a', cases: [caseOf('a', { runs: 3, solved: 1 / 3, score: 1 / 3 })] }],
    'solved',
  ],
  ['no scores', [arm('a', [1, null])], 'solved'],
])('the metric: %s', (_name, arms, metric) => {
  expect(chooseMetric(arms)).toBe(metric);
});

describe('cases without a judged run', () => {
  const unscored = (key: string) => caseOf(key, { judged: 0, solved: null });
  const solved = (key: string) => caseOf(key, { solved: 1, score: 1 });
  const keys = Array.from({ length: 12 }, (_, index) => letter(index));
  const found = compareArms(
    [
      { arm: 'all', cases: keys.map(solved) },
      { arm: 'some', cases: keys.map((key, index) => (index < 5 ? unscored(key) : solved(key))) },
    ],
    { metric: 'solved' },
  );

  test('are not failures: they count as neither gained nor lost and are reported as excluded', () => {
    expect(found.against[0]).toMatchObject({
      ...{ pairs: 12, unscored: 5, better: 0, worse: 0, same: 7, verdict: 'within_noise' },
      solved: { n: 7, test: 'mcnemar_exact', baseline: 1, arm: 1, p: 1 },
    });
    expect(found.arms[1]).toMatchObject({ cases: 12, runs: 12, unscoredRuns: 5, solved: { n: 7, mean: 1 } });
    expect(found.arms[0]).toMatchObject({ unscoredRuns: 0, solved: { n: 12 } });
    expect(armComparisonSchema.parse(found)).toEqual(found);
  });

  test('are also excluded run by run: shares and pass@k use judged runs only', () => {
    const halves = keys.map((key) => caseOf(key, { runs: 4, judged: 2, solved: 0.5, score: 0.5 }));
    const [of] = compareArms([{ arm: 'one', cases: halves }]).arms;
    expect(of).toMatchObject({ runs: 48, unscoredRuns: 24, solved: { n: 12, mean: 0.5 } });
    expect(of?.costPerSolvedUsd).toBeCloseTo(0.04, 12);
    expect(of?.passAtK.map(({ k, mean }) => [k, mean])).toEqual([
      [1, 0.5],
      [2, 1],
    ]);
    const [none] = compareArms([{ arm: 'none', cases: keys.map(unscored) }]).arms;
    expect(none).toMatchObject({ solved: null, score: null, costPerSolvedUsd: null, unscoredRuns: 12, passAtK: [] });
  });
});

describe('properties', () => {
  const anyCase = fc.record({
    solved: fc.constantFrom(0, 0.5, 1),
    runs: fc.constantFrom(1, 2),
    score: fc.option(
      fc.integer({ min: 0, max: 20 }).map((twentieths) => twentieths / 20),
      { freq: 5 },
    ),
  });
  const cases = fc
    .array(anyCase, { maxLength: 14 })
    .map((given) => given.map((one, index) => caseOf(letter(index), one)));

  test('swapping the arms flips signs and verdicts, and the result matches the API schema', () => {
    const opposite = { better: 'worse', worse: 'better', within_noise: 'within_noise', too_few: 'too_few' };
    const property = fc.property(cases, cases, (one, other) => {
      const comparison = compareArms([
        { arm: 'a', cases: one },
        { arm: 'b', cases: other },
      ]);
      expect(armComparisonSchema.parse(comparison)).toEqual(comparison);
      const [there] = comparison.against;
      const [back] = compareArms(
        [
          { arm: 'a', cases: one },
          { arm: 'b', cases: other },
        ],
        { baseline: 'b' },
      ).against;
      if (there === undefined || back === undefined) throw new Error('nothing was compared');
      expect(there.better + there.worse + there.same + there.unscored).toBe(there.pairs);
      for (const metric of ['solved', 'score'] as const) {
        expect([back[metric].better, back[metric].worse, back[metric].same]).toEqual([
          there[metric].worse,
          there[metric].better,
          there[metric].same,
        ]);
        expect(back[metric].difference).toBe(there[metric].difference === null ? null : 0 - there[metric].difference);
        // Different bootstrap samples may change the verdict near the threshold.
        if (Math.abs((there[metric].p ?? 1) - 0.05) > 0.02)
          expect(back[metric].verdict).toBe(opposite[there[metric].verdict]);
      }
    });
    fc.assert(property, { numRuns: 30 });
  });
});
