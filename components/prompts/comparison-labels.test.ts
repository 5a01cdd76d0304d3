import { describe, expect, test } from 'vitest';
import { type AnswerPair, compareAnswers } from '#lib/prompts/compare-answers.ts';
import { callsLabel, comparisonLabel } from './comparison-labels.ts';

function passFail(counts: { fixed?: number; broken?: number; right?: number; wrong?: number }): AnswerPair[] {
  const { fixed = 0, broken = 0, right = 0, wrong = 0 } = counts;
  const pair = (before: number, after: number) => ({
    before: { score: before, satisfactory: before === 1 },
    after: { score: after, satisfactory: after === 1 },
  });
  const pairs = [
    ...Array.from({ length: fixed }, () => pair(0, 1)),
    ...Array.from({ length: broken }, () => pair(1, 0)),
    ...Array.from({ length: right }, () => pair(1, 1)),
    ...Array.from({ length: wrong }, () => pair(0, 0)),
  ];
  return pairs.map((one, index) => ({ case: String(index), ...one }));
}

test.each([
  ['no scored cases', {}, null],
  [
    'within noise',
    { fixed: 3, broken: 1, right: 15, wrong: 1 },
    {
      verdict: 'Within noise.',
      sums: '18 of 20 right, v6: 16.',
      note: '3 fixed, 1 broken, McNemar p = 0.63. About 160 cases would be needed to confirm a gain of this size.',
    },
  ],
  [
    'a loss within noise',
    { fixed: 1, broken: 3, right: 15, wrong: 1 },
    {
      verdict: 'Within noise.',
      sums: '16 of 20 right, v6: 18.',
      note: '1 fixed, 3 broken, McNemar p = 0.63. About 160 cases would be needed to confirm a loss of this size.',
    },
  ],
  [
    'better',
    { fixed: 8, right: 12 },
    { verdict: 'Better.', sums: '20 of 20 right, v6: 12.', note: '8 fixed, 0 broken, McNemar p = 0.008.' },
  ],
  [
    'clearly worse',
    { broken: 12, right: 3 },
    { verdict: 'Worse.', sums: '3 of 15 right, v6: 15.', note: '0 fixed, 12 broken, McNemar p < 0.001.' },
  ],
  [
    'no difference',
    { right: 4, wrong: 1 },
    { verdict: 'No difference.', sums: '4 of 5 right, v6: 4.', note: '0 fixed, 0 broken, McNemar p = 1.00.' },
  ],
  [
    'equal numbers of fixed and broken cases',
    { fixed: 2, broken: 2, right: 1 },
    { verdict: 'Equal overall.', sums: '3 of 5 right, v6: 3.', note: '2 fixed, 2 broken, McNemar p = 1.00.' },
  ],
])('labels pass/fail results: %s', (_name, counts, expected) => {
  expect(comparisonLabel(compareAnswers(passFail(counts), 's'), 'v6')).toEqual(expected);
});

describe('fractional scores', () => {
  const scored = (before: number, after: number, index: number): AnswerPair => ({
    case: String(index),
    before: { score: before, satisfactory: false },
    after: { score: after, satisfactory: false },
  });

  test('show the means and the interval of the change', () => {
    const pairs = Array.from({ length: 12 }, (_, at) => scored(0.5, 0.6, at));
    expect(comparisonLabel(compareAnswers(pairs, 's'), 'v6')).toEqual({
      verdict: 'Better.',
      sums: 'Draft 0.60, v6 0.50 over 12 cases.',
      note: '0 fixed, 0 broken, mean +0.10, 95% of +0.02 to +0.37.',
    });
  });

  test('a single case has no interval and is within noise', () => {
    expect(comparisonLabel(compareAnswers([scored(0.5, 0.6, 0)], 's'), 'v6')).toMatchObject({
      verdict: 'Within noise.',
      note: '0 fixed, 0 broken, mean +0.10.',
    });
  });
});

test.each([
  [{ cells: 40, known: 22, calls: 18 }, '18 calls, 22 saved'],
  [{ cells: 1, known: 0, calls: 1 }, '1 call'],
  [{ cells: 40, known: 40, calls: 0 }, 'all 40 answers saved, no calls'],
  [{ cells: 0, known: 0, calls: 0 }, 'no cases'],
])('labels the calls of %o: %s', (open, words) => {
  expect(callsLabel(open)).toBe(words);
});
