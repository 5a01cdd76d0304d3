import { describe, expect, test } from 'vitest';
import { type AnswerPair, compareAnswers } from './compare-answers.ts';

/** Creates pairs from marks for before and after: `+` right, `-` wrong, `.` not tried, `?` unscored. */
function pairs(marks: string[]): AnswerPair[] {
  return marks.map((mark, index) => ({ case: String(index), before: answer(mark[0]), after: answer(mark[1]) }));
}

function answer(mark: string | undefined) {
  if (mark === '.') return null;
  if (mark === '?') return { score: null, satisfactory: false };
  return { score: mark === '+' ? 1 : 0, satisfactory: mark === '+' };
}

function closeTo(value: number): unknown {
  return expect.closeTo(value, 9);
}

function times(count: number, mark: string): string[] {
  return Array.from({ length: count }, () => mark);
}

describe('pass/fail scores', () => {
  test.each([
    ['no cases', [], { n: 0, fixed: 0, broken: 0, p: 1, isNoise: true, casesToShow: null }],
    ['all equal', times(8, '++'), { n: 8, p: 1, isNoise: true, casesToShow: null }],
    [
      'three fixed and one broken of twenty',
      [...times(15, '++'), ...times(3, '-+'), '+-', '--'],
      { n: 20, fixed: 3, broken: 1, p: 0.625, isNoise: true, casesToShow: 155 },
    ],
    ['six fixed of ten', [...times(4, '++'), ...times(6, '-+')], { p: closeTo(0.03125), isNoise: false }],
    ['six broken of ten', [...times(4, '++'), ...times(6, '+-')], { p: closeTo(0.03125), isNoise: false, broken: 6 }],
    ['unscored and missing ones are not counted', ['-+', '.+', '+.', '?+', '+?', '..'], { n: 1, fixed: 1, broken: 0 }],
  ])('%s', (_name, marks, expected) => {
    expect(compareAnswers(pairs(marks), 's')).toMatchObject({ isPassFail: true, lift: null, ...expected });
  });

  test('totals include only cases scored on both sides', () => {
    const { before, after } = compareAnswers(pairs([...times(16, '++'), ...times(2, '-+'), '--', '--', '+?']), 's');
    expect(before).toMatchObject({ right: 16, scores: { n: 20, mean: 0.8 } });
    expect(after).toMatchObject({ right: 18, scores: { n: 20, mean: 0.9 } });
    expect(before.scores?.low).toBeCloseTo(0.584, 3);
  });

  test('a result of only fixed cases needs six changed cases to exceed noise', () => {
    expect(compareAnswers(pairs(times(3, '-+')), 's')).toMatchObject({
      p: closeTo(0.25),
      isNoise: true,
      casesToShow: 6,
    });
  });
});

describe('fractional scores', () => {
  const scored = (before: number, after: number): AnswerPair => ({
    case: `${before} ${after}`,
    before: { score: before, satisfactory: before >= 0.8 },
    after: { score: after, satisfactory: after >= 0.8 },
  });

  test('uses the paired bootstrap and also counts newly passed cases', () => {
    const steady = Array.from({ length: 12 }, (_, at) => scored((50 + at) / 100, (70 + at) / 100));
    expect(compareAnswers(steady, 's')).toMatchObject({
      isPassFail: false,
      p: null,
      isNoise: false,
      fixed: 2,
      broken: 0,
      lift: { n: 12, lift: 0.2, helped: 12 },
    });
  });

  test('equal gains and losses are noise', () => {
    const mixed = [scored(0.4, 0.6), scored(0.6, 0.4), scored(0.3, 0.5), scored(0.5, 0.35)];
    expect(compareAnswers(mixed, 's')).toMatchObject({ isNoise: true, casesToShow: expect.any(Number) });
  });

  test('a single case has no spread and is noise', () => {
    expect(compareAnswers([scored(0.4, 0.6)], 's')).toMatchObject({ n: 1, isNoise: true, casesToShow: null });
  });
});
