import { describe, expect, test } from 'vitest';
import { compareArms } from '#lib/compare/compare-arms.ts';
import type { Comparison } from '#lib/compare/schema.ts';
import { effortLabel } from './effort-labels.ts';

type Effort = Comparison['effort']['arms'][number];

/** What effortLabel reads of a comparison: arms in retry mode that may make so many attempts. */
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

/** A comparison of arms cut to `versions`, by scores that differ by `by` on every case. */
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

describe('effort', () => {
  test.each([
    ['equal', [{}, {}], []],
    ['a little more spent', [{}, { spent: 1.2 }], []],
    ['another cap', [{}, { mostVersions: 5 }, {}], ['A and C may use 4 attempts, B may use 5 attempts.']],
    ['another budget', [{}, { hasOtherBudget: true }], ['B has another budget than A.']],
    ['more spent', [{}, { spent: 1.5 }], ['A run of B cost 1.5 times as much as one of A.']],
    ['less spent', [{}, { spent: 0.5, spentIn: 'tokens' }], ['A run of B took 50 % as many tokens as one of A.']],
    ['unknown', [{}, { spent: null, spentIn: null }], []],
  ] as const)('that is %s', (_name, efforts, words) => {
    expect(effortLabel(comparison(efforts.map((effort) => ({ ...effort }))))).toEqual(words);
  });

  test.each([
    ['better', 0.1, /B has \+0\.10 on A, 95 % \+0\.\d+ to \+0\.\d+, p .+: better than A\.$/],
    ['worse', -0.1, /B has −0\.10 on A, 95 % −0\.\d+ to −0\.\d+, p .+: worse than A\.$/],
    ['within noise', 0, /B has 0\.00 on A.*: within noise\.$/],
  ] as const)('cut to the same number of attempts can still be %s', (_name, by, words) => {
    const [caps, cut] = effortLabel(comparison([{}, { mostVersions: 5 }], cutBy(4, by)));
    expect(caps).toBe('A may use 4 attempts, B may use 5 attempts.');
    expect(cut).toMatch(/^With every run cut to 4 attempts, /);
    expect(cut).toMatch(words);
  });
});
