import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cohenKappa } from './calibration.ts';
import { type Judgement, kappaNote, reviewerAgreement } from './reviewer-agreement.ts';

/** Each letter is one judgement of a person, item by item: yes, no, tie or none. */
function judgementsOf(words: Record<string, string>): Judgement[] {
  const says = { y: 'yes', n: 'no', t: 'tie' } as const;
  return Object.entries(words).flatMap(([name, letters]) =>
    [...letters].flatMap((letter, index): Judgement[] =>
      letter === 'y' || letter === 'n' || letter === 't'
        ? [{ thing: `${index}`, person: name, name, says: says[letter] }]
        : [],
    ),
  );
}

describe('two people', () => {
  test.each([
    { name: 'full agreement', ada: 'yynnyynn', bo: 'yynnyynn', n: 8, same: 8, kappa: 1, ties: 0 },
    { name: 'full disagreement', ada: 'yynnyynn', bo: 'nnyynnyy', n: 8, same: 0, kappa: -1, ties: 0 },
    { name: 'only yes, which is chance', ada: 'yyyyyyyy', bo: 'yyyyyyyy', n: 8, same: 8, kappa: null, ties: 0 },
    { name: 'agreement by chance', ada: 'yynnyynn', bo: 'ynynynyn', n: 8, same: 4, kappa: 0, ties: 0 },
    { name: 'ties are counted separately', ada: 'ynynynyntn', bo: 'ynynynyntt', n: 8, same: 8, kappa: 1, ties: 2 },
    {
      ...{ name: 'what one alone judged counts nowhere', ada: 'ynynynyn..y', bo: 'ynynynynyn.' },
      ...{ n: 8, same: 8, kappa: 1, ties: 0 },
    },
    { name: 'no shared items', ada: 'yn..', bo: '..yn', n: 0, same: 0, kappa: null, ties: 0 },
    { name: 'a single item', ada: 'y', bo: 'n', n: 1, same: 0, kappa: null, ties: 0 },
    { name: 'seven items', ada: 'yynnyyn', bo: 'yynnyyn', n: 7, same: 7, kappa: null, ties: 0 },
  ])('$name', ({ ada, bo, n, same, kappa, ties }) => {
    const found = reviewerAgreement(judgementsOf({ ada, bo }));
    expect(found).toMatchObject({ n, same, ties, people: 2 });
    expect(found.kappa?.kappa ?? null).toBe(kappa);
    expect(found.interval?.share ?? null).toBe(n === 0 ? null : same / n);
  });

  test('the total equals the only pair, with Cohen’s kappa', () => {
    const found = reviewerAgreement(judgementsOf({ ada: 'yyyyynnnyn', bo: 'yyynnnnnyy' }));
    const [pair] = found.pairs;
    expect(pair).toMatchObject({ first: 'ada', second: 'bo', n: 10, same: 7 });
    expect(found.kappa).toEqual(pair?.kappa);
    expect(found.kappa).toEqual(cohenKappa({ both: 4, onlyFirst: 2, onlySecond: 1, neither: 3 }));
  });
});

test.each([
  ['there are no shared items', 'tt', 'yn', 'nothing'],
  ['there is a single item', 'y', 'n', 'too_few'],
  ['seven of seven agree', 'yyyyyyy', 'yyyyyyy', 'too_few'],
  ['all judgements are equal', 'yyyyyyyy', 'yyyyyyyy', 'all_alike'],
  ['it has a value', 'yynnyynn', 'yynnyynn', null],
])('gives the reason for a missing kappa if %s', (_name, ada, bo, why) => {
  const found = reviewerAgreement(judgementsOf({ ada, bo }));
  expect([found.whyNoKappa, found.pairs[0]?.whyNoKappa]).toEqual([why, why]);
  expect(found.kappa === null).toBe(why !== null);
});

test('kappa has no interval if its standard error is 0', () => {
  expect(reviewerAgreement(judgementsOf({ ada: 'yynnyynn', bo: 'yynnyynn' })).kappa).toEqual({
    ...{ n: 8, kappa: 1, low: null, high: null },
  });
  // A person who always says yes agrees only by chance.
  expect(reviewerAgreement(judgementsOf({ ada: 'yyyyyyyy', bo: 'yynyynyy' })).kappa).toEqual({
    ...{ n: 8, kappa: 0, low: null, high: null },
  });
});

test.each([
  ['one always says yes', 'yyyyyyyy', 'yynyynyy', 'because one of the two always gave the same answer'],
  ['both always say the same', 'yynnyynn', 'yynnyynn', 'because both always gave the same answer'],
  ['they always say the opposite', 'yynnyynn', 'nnyynnyy', 'because the two always gave opposite answers'],
  ['all answers are yes', 'yyyyyyyy', 'yyyyyyyy', 'because all answers were the same'],
  ['there are too few items', 'yynn', 'yyny', 'Kappa needs at least 8 items that both judged.'],
  ['there are no shared items', 'tt', 'yn', null],
  ['there is an interval', 'yyyyynnnyn', 'yyynnnnnyy', null],
])('explains what kappa lacks if %s', (_name, ada, bo, words) => {
  const note = kappaNote(reviewerAgreement(judgementsOf({ ada, bo })));
  expect(note).toEqual(words === null ? null : expect.stringContaining(words));
});

test('requires enough items, not comparisons: three people on three items are too few', () => {
  const found = reviewerAgreement(judgementsOf({ ada: 'yyn', bo: 'yny', cy: 'nyn' }));
  expect(found).toMatchObject({ n: 9, kappa: null, whyNoKappa: 'too_few' });
});

test('three people make three comparisons per item, and pairs are sorted by shared items', () => {
  const found = reviewerAgreement(judgementsOf({ ada: 'yyn', bo: 'yyn', cy: 'yn' }));
  expect(found).toMatchObject({ people: 3, things: 3, shared: 3, n: 7, same: 5 });
  expect(found.pairs.map(({ first, second, n, same }) => `${first} ${second} ${same}/${n}`)).toEqual([
    'ada bo 3/3',
    'ada cy 1/2',
    'bo cy 1/2',
  ]);
});

test("uses a person's last judgement of an item", () => {
  const judgements = [...judgementsOf({ ada: 'n', bo: 'y' }), ...judgementsOf({ ada: 'y' })];
  expect(reviewerAgreement(judgements)).toMatchObject({ n: 1, same: 1 });
});

test('is independent of names and order, and intervals contain their value', () => {
  const word = fc.constantFrom('y', 'n', 't', '.');
  const letters = fc.array(word, { minLength: 1, maxLength: 30 }).map((all) => all.join(''));
  fc.assert(
    fc.property(letters, letters, letters, (ada, bo, cy) => {
      const found = reviewerAgreement(judgementsOf({ ada, bo, cy }));
      const renamed = reviewerAgreement(judgementsOf({ z: ada, y: bo, x: cy }).toReversed());
      expect({ ...renamed, pairs: [] }).toEqual({ ...found, pairs: [] });
      expect(found.pairs.reduce((sum, { n }) => sum + n, 0)).toBe(found.n);
      if (found.interval !== null) {
        expect(found.interval.low).toBeLessThanOrEqual(found.interval.share + 1e-9);
        expect(found.interval.high).toBeGreaterThanOrEqual(found.interval.share - 1e-9);
      }
      if (found.kappa !== null && found.kappa.low !== null && found.kappa.high !== null) {
        expect(found.kappa.low).toBeLessThan(found.kappa.high);
        expect(found.kappa.low).toBeLessThanOrEqual(found.kappa.kappa);
      }
      expect(found.kappa === null).toBe(found.whyNoKappa !== null);
    }),
  );
});
