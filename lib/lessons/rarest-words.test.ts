import { expect, test } from 'vitest';
import { type InputWord, rarestWords } from './rarest-words.ts';

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

function words(text: string): InputWord[] {
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
    name: 'a small library takes all',
    text: 'question which film actor',
    statistics: NONE,
    chosen: ['question', 'which', 'film', 'actor'],
  },
  {
    name: 'what the library has everywhere is left out, unknown words come first',
    text: 'question film actor band zeppelin answer',
    statistics: LARGE,
    chosen: ['zeppelin', 'band', 'actor', 'film'],
  },
  {
    name: 'common words alone are asked for all the same',
    text: 'question answer',
    statistics: LARGE,
    chosen: ['answer', 'question'],
  },
])('$name', ({ text, statistics, chosen }) => {
  expect(rarestWords(words(text), statistics)).toEqual(chosen);
});

test('of a long input the words at its edges are taken, and the repeated ones', () => {
  const middle = Array.from({ length: 500 }, (_, at) => `middle${at}`);
  const text = ['begin', ...middle, 'repeated', 'x', 'repeated', ...middle.map((word) => `${word}b`), 'end'].join(' ');
  const chosen = rarestWords(words(text), NONE);
  expect(chosen).toHaveLength(64);
  expect(chosen).toEqual(expect.arrayContaining(['begin', 'end']));
  const short = [...middle.slice(0, 45), 'repeated', 'x', 'repeated', ...middle.slice(45, 90)].join(' ');
  expect(rarestWords(words(short), NONE)).toContain('repeated');
});
