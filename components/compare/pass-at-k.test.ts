import { expect, test } from 'vitest';
import { passAtKLabel } from './pass-at-k.ts';

const at = (k: number, n: number, mean: number) => ({ k, n, mean, low: mean - 0.1, high: mean + 0.1 });

test.each([
  ['one run a case says nothing of several', [], null],
  [
    'two runs of each',
    [at(1, 8, 0.4), at(2, 8, 0.6)],
    'One run solves a case 40 % (30 to 50) of the time, one of 2 runs 60 % (50 to 70); over 8 cases.',
  ],
  [
    'what only a few cases have is left out',
    [at(1, 8, 0.4), at(2, 5, 0.6), at(3, 1, 0.9)],
    'One run solves a case 40 % (30 to 50) of the time, one of 2 runs 60 % (50 to 70); over 5 cases.',
  ],
  ['repeated only here and there', [at(1, 8, 0.4), at(2, 1, 0.6)], null],
  [
    'one case has no interval',
    [
      { ...at(1, 1, 0.5), low: null, high: null },
      { ...at(2, 1, 1), low: null, high: null },
    ],
    'One run solves a case 50 % of the time, one of 2 runs 100 %; over 1 case.',
  ],
])('%s', (_name, passAtK, words) => {
  expect(passAtKLabel(passAtK)).toBe(words);
});
