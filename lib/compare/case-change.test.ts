import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shownDifferences } from './compare-experiments.ts';
import { armCaseChange } from './schema.ts';

const of = (score: number | null, solved: number | null = 0) => ({ score, solved });

describe('an arm compared with the baseline', () => {
  test.each([
    ['scores higher', of(0.5), of(0.75), 'score', 'better', 0.25],
    ['scores lower', of(0.75), of(0.5), 'score', 'worse', -0.25],
    ['scores the same except for rounding', of(0.1 + 0.2), of(0.3), 'score', 'same', 0],
    ['has no score', of(0.5), of(null), 'score', 'unscored', null],
    ['has a score while the baseline has none', of(null), of(0.5), 'score', 'unscored', null],
    ['did not run the case', of(0.5), null, 'score', 'unpaired', null],
    ['ran a case that the baseline did not', null, of(0.5), 'score', 'unpaired', null],
    ['solved what the baseline did not, regardless of scores', of(0.9, 0), of(0.8, 1), 'solved', 'better', 1],
    ['solved less often', of(0.9, 1), of(0.9, 0.5), 'solved', 'worse', -0.5],
    ['is solved equally often, without a score', of(null, 0), of(0.5, 0), 'solved', 'same', 0],
    ['is not judged on one side', of(null, null), of(0.5, 0), 'solved', 'unscored', null],
  ] as const)('%s', (_name, baseline, arm, metric, kind, by) => {
    expect(armCaseChange(baseline, arm, metric)).toEqual({ kind, by });
  });

  test('is better by as much as the baseline is worse', () => {
    const score = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(score, score, (one, other) => {
        const [there, back] = [armCaseChange(of(one), of(other), 'score'), armCaseChange(of(other), of(one), 'score')];
        expect(there.by).toBeCloseTo(-(back.by ?? 0), 5);
        expect([there.kind, back.kind].sort()).toEqual(there.kind === 'same' ? ['same', 'same'] : ['better', 'worse']);
      }),
    );
  });
});

test('shownDifferences samples long lists and keeps both ends and the middle', () => {
  expect(shownDifferences([0.3, -0.2, 0])).toEqual([-0.2, 0, 0.3]);
  const many = Array.from({ length: 4001 }, (_, at) => (at - 2000) / 2000);
  const shown = shownDifferences(many.toReversed());
  expect(shown).toHaveLength(200);
  expect([shown.at(0), shown.at(-1)]).toEqual([-1, 1]);
  expect(Math.abs((shown[99] ?? 1) + (shown[100] ?? 1))).toBeLessThan(0.01);
});
