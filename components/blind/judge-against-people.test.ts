import { describe, expect, test } from 'vitest';
import { type BlindJudgement, judgeAgreement } from '#lib/statistics/judge-agreement.ts';
import { agreementLabel, agreementNotes } from './judge-against-people.tsx';

/** Builds an agreement from counts of picks with the judge, picks against it, ties, and picks between equal scores. */
function agreement(counts: { agreed?: number; against?: number; ties?: number; even?: number }) {
  let at = 0;
  const make = (count: number | undefined, picked: BlindJudgement['picked']) =>
    Array.from({ length: count ?? 0 }, (): BlindJudgement => ({ person: 'you', pair: `p${at++}`, picked }));
  return judgeAgreement([
    ...make(counts.agreed, { score: 0.9, otherScore: 0.2 }),
    ...make(counts.against, { score: 0.2, otherScore: 0.9 }),
    ...make(counts.ties, null),
    ...make(counts.even, { score: 0.5, otherScore: 0.5 }),
  ]);
}

test.each<[string, Parameters<typeof agreement>[0], string | null]>([
  ['several choices', { agreed: 14, against: 4, ties: 3 }, 'agrees in 14 of 18 choices (78%, 55 to 91%)'],
  ['one choice', { agreed: 1 }, 'agrees in 1 of 1 choice (100%, 21 to 100%)'],
  ['no agreement', { against: 10 }, 'agrees in 0 of 10 choices (0%, 0 to 28%)'],
  ['no choices', { ties: 3 }, null],
])('shows the share of agreement with its interval: %s', (_name, counts, words) => {
  expect(agreementLabel(agreement(counts))).toBe(words);
});

describe('agreementNotes', () => {
  test.each<[string, Parameters<typeof agreement>[0], string[]]>([
    ['no notes', { agreed: 10 }, []],
    ['too few choices', { agreed: 9 }, ['At least 10 choices are needed for a conclusion.']],
    [
      'ties and equal scores that are not included',
      { agreed: 10, ties: 1, even: 2 },
      ['Not included: 1 tie and 2 choices between equal scores.'],
    ],
    ['only ties', { ties: 2 }, ['Not included: 2 ties.']],
  ])('%s', (_name, counts, notes) => {
    expect(agreementNotes(agreement(counts))).toEqual(notes);
  });

  test('notes when several people judged the same pair', () => {
    const words = ['you', 'Bea', 'Carl'].map(
      (person): BlindJudgement => ({ person, pair: person === 'Carl' ? 'q' : 'p', picked: null }),
    );
    expect(agreementNotes(judgeAgreement(words)).at(-1)).toBe(
      '3 judgements of 2 pairs by 3 people. Each judgement counts, including those of 1 pair that several people judged.',
    );
  });
});
