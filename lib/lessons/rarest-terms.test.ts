import { expect, test } from 'vitest';
import { type InputTerm, lessonsWith, rarestTerms } from './terms.ts';

const NONE = { lessons: 0, shares: new Map<string, number>() };
const LARGE = {
  lessons: 100_000,
  shares: new Map([
    ['question', 0.6],
    ['answer', 0.4],
    ['film', 0.002],
    ['actor', 0.0015],
    ['band', 0.001],
  ]),
};

function words(text: string): InputTerm[] {
  const all = text.split(' ');
  return [...new Set(all)].map((word) => ({
    word,
    count: all.filter((other) => other === word).length,
    first: all.indexOf(word) + 1,
    last: all.lastIndexOf(word) + 1,
  }));
}

test.each([
  { name: 'nothing', text: '', statistics: LARGE, chosen: [''] },
  {
    name: 'takes all terms in a small library',
    text: 'question which film actor',
    statistics: NONE,
    chosen: ['question', 'which', 'film', 'actor'],
  },
  {
    name: 'omits terms of every lesson and puts unknown terms first',
    text: 'question film actor band zeppelin answer',
    statistics: LARGE,
    chosen: ['zeppelin', 'band', 'actor', 'film'],
  },
  {
    name: 'keeps common terms if there are no others',
    text: 'question answer',
    statistics: LARGE,
    chosen: ['answer', 'question'],
  },
])('$name', ({ text, statistics, chosen }) => {
  expect(rarestTerms(words(text), statistics)).toEqual(chosen);
});

test('takes the first, last and repeated words of a long input', () => {
  const middle = Array.from({ length: 60 }, (_, at) => `middle${at}`);
  const inner = ['repeated', 'x', 'repeated'];
  const long = ['begin', ...middle.slice(0, 15), ...inner, ...middle.slice(15), 'end'];
  const chosen = rarestTerms(words(long.join(' ')), NONE);
  expect(chosen).toHaveLength(40);
  expect(chosen).toEqual(expect.arrayContaining(['begin', 'repeated']));
});

test('unknown words do not displace words that the library contains', () => {
  const small = { lessons: 200, shares: new Map([['wallac', 0.04]]) };
  const unrelated = Array.from({ length: 300 }, (_, at) => `stranger${at}`);
  expect(rarestTerms(words([...unrelated, 'wallac'].join(' ')), small)).toContain('wallac');
});

test('limits the matches of a search in a large library', () => {
  const shares = new Map(Array.from({ length: 4_000 }, (_, at) => [`known${at}`, 5 / (at + 100)] as const));
  const input = [...shares.keys(), ...Array.from({ length: 300 }, (_, at) => `rare${at}`)];
  const statistics = { lessons: 100_000, shares };
  const matches = rarestTerms(words(input.join(' ')), statistics).reduce(
    (sum, word) => sum + lessonsWith(word, statistics),
    0,
  );
  expect(matches).toBeGreaterThan(500);
  expect(matches).toBeLessThanOrEqual(900);
});
