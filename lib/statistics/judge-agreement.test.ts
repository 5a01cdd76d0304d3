import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BlindJudgement, type JudgeAgreement, judgeAgreement, judgeAgreementSchema } from './judge-agreement.ts';

let pair = 0;
function pick(score: number | null, otherScore: number | null, more: Partial<BlindJudgement> = {}): BlindJudgement {
  return { person: 'you', pair: `pair ${pair++}`, picked: { score, otherScore }, ...more };
}
const tie = (): BlindJudgement => ({ person: 'you', pair: `pair ${pair++}`, picked: null });
const times = (count: number, make: () => BlindJudgement) => Array.from({ length: count }, make);

describe('agreement of the judge with people', () => {
  test.each<[string, BlindJudgement[], Partial<JudgeAgreement>]>([
    ['no judgements', [], { judgements: 0, people: 0, picks: 0, interval: null, tooFewToTell: true }],
    ['a pick of the higher score agrees', [pick(0.8, 0.6)], { picks: 1, agreed: 1 }],
    ['a pick of the lower score disagrees', [pick(0.6, 0.8)], { picks: 1, agreed: 0 }],
    ['a tie is not a pick', [tie(), pick(0.8, 0.6)], { picks: 1, agreed: 1, ties: 1, judgements: 2 }],
    ['equal scores are not a pick', [pick(0.7, 0.7)], { picks: 0, equalScores: 1, interval: null }],
    ['scores equal to 6 decimals are equal', [pick(0.1 + 0.2, 0.3)], { picks: 0, equalScores: 1 }],
    ['scores that differ in the sixth decimal are different', [pick(0.300_001, 0.3)], { picks: 1, agreed: 1 }],
    ['0 is a score', [pick(0.1, 0)], { picks: 1, agreed: 1 }],
    ['missing scores are counted', [pick(null, 0.3), pick(0.3, null)], { picks: 0, unscored: 2 }],
    [
      'two people on one pair give two judgements',
      [pick(0.8, 0.6, { pair: 'x' }), pick(0.6, 0.8, { pair: 'x', person: 'Bea' })],
      { judgements: 2, people: 2, pairs: 1, sharedPairs: 1, picks: 2, agreed: 1 },
    ],
    ['nine picks are too few', times(9, () => pick(1, 0)), { picks: 9, tooFewToTell: true }],
    ['ten picks are enough', times(10, () => pick(1, 0)), { picks: 10, tooFewToTell: false }],
    ['ten judgements with a tie are too few', [...times(9, () => pick(1, 0)), tie()], { picks: 9, tooFewToTell: true }],
  ])('%s', (_name, judgements, expected) => {
    expect(judgeAgreement(judgements)).toMatchObject(expected);
  });

  test('14 of 18: 78 %, from 55 to 91 %', () => {
    const { interval } = judgeAgreement([...times(14, () => pick(0.9, 0.2)), ...times(4, () => pick(0.2, 0.9))]);
    expect(interval?.low).toBeCloseTo(0.5479, 4);
    expect(interval?.share).toBeCloseTo(0.7778, 4);
    expect(interval?.high).toBeCloseTo(0.91, 3);
  });
});

test('judgements of several people on one pair count as correlated', () => {
  const by = (person: string) =>
    Array.from({ length: 10 }, (_, at) => pick(at < 8 ? 1 : 0, 0.5, { person, pair: `p${at}` }));
  const [alone, together] = [judgeAgreement(by('a')), judgeAgreement(['a', 'b', 'c', 'd'].flatMap(by))];
  expect(together).toMatchObject({ picks: 40, agreed: 32, pairs: 10 });
  expect(together.interval).toEqual(alone.interval);
});

test('counts every judgement once and matches the schema', () => {
  const score = fc.option(fc.constantFrom(0, 0.3, 0.3000001, 0.8, 1));
  const judgement = fc.record({
    person: fc.constantFrom('you', 'Bea'),
    pair: fc.constantFrom('x', 'y', 'z'),
    picked: fc.option(fc.record({ score, otherScore: score })),
  });
  fc.assert(
    fc.property(fc.array(judgement), (judgements) => {
      const found = judgeAgreementSchema.parse(judgeAgreement(judgements));
      expect(found.picks + found.ties + found.equalScores + found.unscored).toBe(judgements.length);
      expect(found.agreed).toBeLessThanOrEqual(found.picks);
      expect(found.interval === null).toBe(found.picks === 0);
      const mirrored = judgements.map((one) => ({
        ...one,
        picked: one.picked && { score: one.picked.otherScore, otherScore: one.picked.score },
      }));
      expect(judgeAgreement(mirrored).agreed).toBe(found.picks - found.agreed);
    }),
  );
});
