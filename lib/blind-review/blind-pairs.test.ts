import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BlindCandidate, blindPairs } from './blind-pairs.ts';

function version(runId: string, number: number, score: number | null, text: string | null = `${runId}${number}`) {
  return { runId, version: number, score, text };
}

const names = (candidates: BlindCandidate[], seed = 'seed') =>
  blindPairs(candidates, seed).map(({ runId, first, second }) => `${runId}${first}${second}`);

describe('pairing of versions', () => {
  test.each<[string, BlindCandidate[], string[]]>([
    ['two scored versions', [version('a', 0, 0.4), version('a', 1, 0.7)], ['a01']],
    ['input order does not matter', [version('a', 1, 0.7), version('a', 0, 0.4)], ['a01']],
    [
      'three versions of a run form three pairs',
      [0, 1, 2].map((at) => version('a', at, at / 10)),
      ['a01', 'a02', 'a12'],
    ],
    ['versions of different runs form no pair', [version('a', 0, 0.4), version('b', 1, 0.7)], []],
    ['an unscored version is omitted', [version('a', 0, null), version('a', 1, 0.7)], []],
    ['a version without text is omitted', [version('a', 0, 0.4, null), version('a', 1, 0.7)], []],
    ['versions with equal texts form no pair', [version('a', 0, 0.4, 'x'), version('a', 1, 0.7, 'x')], []],
    ['a score of 0 counts as scored', [version('a', 0, 0), version('a', 1, 0)], ['a01']],
    ['no versions', [], []],
  ])('%s', (_name, candidates, expected) => {
    expect(names(candidates).toSorted()).toEqual(expected);
  });
});

describe('order of pairs', () => {
  test('puts pairs with different scores before ties, also within one run', () => {
    const even = [version('a', 0, 0.5), version('a', 1, 0.5)];
    const differing = [version('b', 0, 0.5), version('b', 1, 0.500_001), version('b', 2, 0.500_000_4)];
    expect(
      names([...even, ...differing])
        .slice(0, 2)
        .toSorted(),
    ).toEqual(['b01', 'b12']);
    expect(
      names([...even, ...differing])
        .slice(2)
        .toSorted(),
    ).toEqual(['a01', 'b02']);
  });

  test('takes one pair of each run before a second of any', () => {
    const runs = ['a', 'b', 'c', 'd'];
    const all = runs.flatMap((run) => [0, 1, 2].map((at) => version(run, at, at / 10)));
    const asked = names(all).map((name) => name[0]);
    for (const from of [0, 4, 8]) expect(asked.slice(from, from + 4).toSorted()).toEqual(runs);
  });

  test('differs by seed', () => {
    const all = Array.from({ length: 8 }, (_, at) => version('a', at, at / 10));
    expect(names(all, 'one')).not.toEqual(names(all, 'two'));
    expect(names(all, 'one').toSorted()).toEqual(names(all, 'two').toSorted());
  });
});

test('puts each version on the left about half the time, and differs between reviewers', () => {
  const all = Array.from({ length: 50 }, (_, at) => version('a', at, at / 100));
  const lowerLeft = (seed: string) => blindPairs(all, seed).filter(({ left, first }) => left === first).length;
  // 1,225 pairs: 613 expected, with a standard deviation of 17.5.
  for (const seed of ['you', 'Bea', 'Carl']) expect(Math.abs(lowerLeft(seed) - 612.5)).toBeLessThan(88);
  const sides = (seed: string) =>
    new Map(blindPairs(all, seed).map((pair) => [`${pair.first} ${pair.second}`, pair.left]));
  const [yours, hers] = [sides('you'), sides('Bea')];
  expect([...yours].some(([pair, left]) => hers.get(pair) !== left)).toBe(true);
});

const candidate = fc.record({
  runId: fc.constantFrom('a', 'b', 'c'),
  version: fc.nat({ max: 7 }),
  score: fc.option(fc.constantFrom(0, 0.3, 0.3000001, 0.5, 1)),
  text: fc.option(fc.constantFrom('x', 'y', 'z')),
});
const versions = fc.uniqueArray(candidate, { maxLength: 24, selector: ({ runId, version: number }) => runId + number });

describe('properties', () => {
  test('each pair occurs once, with two kept and scored versions of one run with different texts', () => {
    fc.assert(
      fc.property(versions, fc.string(), (all, seed) => {
        const pairs = blindPairs(all, seed);
        const find = (runId: string, number: number) =>
          all.find((one) => one.runId === runId && one.version === number);
        for (const { runId, first, second, left } of pairs) {
          expect(first).toBeLessThan(second);
          expect([first, second]).toContain(left);
          for (const number of [first, second])
            expect(find(runId, number)).toMatchObject({ score: expect.any(Number), text: expect.any(String) });
          expect(find(runId, first)?.text).not.toBe(find(runId, second)?.text);
        }
        expect(new Set(pairs.map(({ runId, first, second }) => `${runId} ${first} ${second}`)).size).toBe(pairs.length);
      }),
    );
  });

  test('the same seed gives the same pairs, in any input order', () => {
    fc.assert(
      fc.property(versions, fc.string(), (all, seed) => {
        expect(blindPairs(all.toReversed(), seed)).toEqual(blindPairs(all, seed));
      }),
    );
  });
});
