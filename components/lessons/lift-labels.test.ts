import { expect, test } from 'vitest';
import { pairedLift } from '#lib/statistics/paired-lift.ts';
import type { PairedLift } from '#lib/statistics/paired-lift-schema.ts';
import { liftCounts, liftSentence, shortLiftLabel } from './lesson-labels.ts';

function lift(...scores: [number | null, number | null][]): PairedLift {
  return pairedLift(
    scores.map(([without, withIt], index) => ({ case: `${index}`, without, with: withIt })),
    'words',
  );
}

function times(count: number, without: number, withIt: number): [number, number][] {
  return Array.from({ length: count }, () => [without, withIt]);
}

test.each([
  {
    name: 'no scored runs',
    given: lift([null, 0.5]),
    sentence: 'No case has scores both with and without the lesson yet.',
    short: 'not scored',
  },
  {
    name: 'one case',
    given: lift([0.4, 0.6]),
    sentence: '+0.20 on 1 case. One case is not enough to tell.',
    short: '+0.20 within noise',
  },
  {
    name: 'the same gain on a few cases',
    given: lift(...times(3, 0.4, 0.6)),
    sentence: '+0.20 on 3 cases. These few cases are not enough to tell.',
    short: '+0.20 within noise',
  },
  {
    name: 'no difference',
    given: lift(...times(4, 0.5, 0.5)),
    sentence: 'No difference on 4 cases.',
    short: '= 0 within noise',
  },
  {
    name: 'an improvement',
    given: lift(...times(12, 0.4, 0.6)),
    sentence: 'It helps: +0.20 (+0.06 to +0.48 with 95% confidence, 12 cases).',
    short: '+0.20 (+0.06 to +0.48)',
  },
  {
    name: 'a decline',
    given: lift(...times(12, 0.6, 0.4)),
    sentence: 'It hurts: −0.20 (',
    short: '−0.20 (−0.48 to −0.06)',
  },
  {
    name: 'within noise',
    given: lift(...times(5, 0.4, 0.6), ...times(5, 0.6, 0.4)),
    sentence: '= 0, within noise (',
    short: '= 0 within noise',
  },
])('$name', ({ given, sentence, short }) => {
  expect(liftSentence(given)).toContain(sentence);
  expect(shortLiftLabel(given)).toContain(short);
});

test('counts the cases and notes when there are too few', () => {
  expect(liftCounts(lift([0.1, 0.2], [0.2, 0.1], [0.3, 0.3], [null, 1]))).toBe(
    '1 helped, 1 hurt, 1 the same and 1 without scores on both sides. This is too few cases to be sure.',
  );
  expect(liftCounts(lift(...times(10, 0.1, 0.2)))).toBe('10 helped.');
  expect(liftCounts(lift())).toBe('');
});
