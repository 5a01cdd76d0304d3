import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { equalCost, type SpendTrajectory } from './equal-cost.ts';

/** Returns one run per case, solved by its n-th version (null: never), at `price` dollars per version. */
function courses(solvedBy: (number | null)[], versions = 5, price = 1): SpendTrajectory[] {
  return solvedBy.map((solved, index) => {
    const length = solved ?? versions;
    return {
      caseKey: `case ${index}`,
      isScored: true,
      spent: Array.from({ length }, (_, at) => (at + 1) * price),
      satisfactory: Array.from({ length }, (_, at) => at + 1 === solved),
    };
  });
}
const times = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);

/** Example of the design: of 24 katas, 9, 13, 18, 19, 20 are solved after each attempt, against 9, 12, 14, 15, 15. */
const REFLECTION = [...times(9, 1), ...times(4, 2), ...times(5, 3), 4, 5, ...times(4, null)];
const FRESH = [...times(9, 1), ...times(3, 2), null, ...times(2, 3), ...times(5, null), ...times(3, null), 4];

test('excludes cases that are unscored on one side and counts them', () => {
  const [reflection, fresh] = [courses(times(8, 1)), courses(times(8, 1))];
  const unscored = fresh.map((course, index) =>
    index < 3 ? { ...course, isScored: false, satisfactory: [false] } : course,
  );
  expect(equalCost(reflection, unscored)).toMatchObject({
    ...{ cases: 5, unscored: 3, onlyReflection: 0, onlyFresh: 0 },
    levels: [{ spend: 1, reflection: 5, fresh: 5 }],
  });
  expect(equalCost(reflection, fresh)).toMatchObject({ cases: 8, unscored: 0 });
  const none = fresh.map((course) => ({ ...course, isScored: false }));
  expect(equalCost(reflection, none)).toBeNull();
});

describe('comparison at equal spend', () => {
  test('measures both solve curves by spend and bases the verdict on cases that differ', () => {
    const found = equalCost(courses(REFLECTION), courses(FRESH));
    expect(found?.levels.map(({ spend, reflection, fresh }) => [spend, reflection, fresh])).toEqual([
      [1, 9, 9],
      [2, 13, 12],
      [3, 18, 14],
      [4, 19, 15],
      [5, 20, 15],
    ]);
    // 6 only by reflection, 1 only by fresh drafts: p = 2 × (1 + 7) ÷ 2⁷.
    expect(found).toMatchObject({
      cases: 24,
      onlyReflection: 6,
      onlyFresh: 1,
      p: expect.closeTo(0.125, 10),
      verdict: 'within_noise',
    });
    expect(found?.moreCases).toBeGreaterThan(0);
  });

  test('a more expensive side solves later or never', () => {
    const found = equalCost(courses(times(10, 2)), courses(times(10, 2), 5, 1.5));
    expect(found).toMatchObject({ onlyReflection: 10, onlyFresh: 0, verdict: 'better' });
    expect(found?.levels.at(-1)).toMatchObject({ spend: 2, reflection: 10, fresh: 0 });
  });

  test.each([
    ['better', times(10, 1), times(10, null)],
    ['worse', times(10, null), times(10, 1)],
    ['within_noise', times(10, 1), times(10, 1)],
    ['too_few', times(5, 1), times(5, null)],
  ])('returns %s', (verdict, reflection, fresh) => {
    expect(equalCost(courses(reflection), courses(fresh))?.verdict).toBe(verdict);
  });
});

test('ignores cases that only one side has', () => {
  expect(equalCost(courses([1, 2]), courses([1]))).toMatchObject({ cases: 1 });
  expect(equalCost(courses([1, 2]), [])).toBeNull();
});

test('swapping the sides reverses the verdict', () => {
  const one = fc.array(fc.option(fc.constant(1), { nil: null }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(one, one, (first, second) => {
      const size = Math.min(first.length, second.length);
      const [a, b] = [courses(first.slice(0, size), 1), courses(second.slice(0, size), 1)];
      const [forth, back] = [equalCost(a, b), equalCost(b, a)];
      expect(back?.p).toBe(forth?.p);
      expect([back?.onlyReflection, back?.onlyFresh]).toEqual([forth?.onlyFresh, forth?.onlyReflection]);
      const turned = { better: 'worse', worse: 'better', within_noise: 'within_noise', too_few: 'too_few' } as const;
      expect(back?.verdict).toBe(forth === null ? undefined : turned[forth.verdict]);
    }),
  );
});
