import { expect, test } from 'vitest';
import { newFindings } from './lesson-review.ts';

const ORDER = { family: 'prompt_injection', rule: 'orders', matched: 'ignore all that was said' };
const OTHER = { ...ORDER, matched: 'forget your task' };
const SCORE = { family: 'score_manipulation', rule: 'names the score', matched: 'score higher' };

test.each([
  ['nothing, where nothing is found', [ORDER], [], []],
  ['nothing, where all was known', [ORDER, SCORE], [SCORE, ORDER], []],
  ['another rule', [ORDER], [ORDER, SCORE], [SCORE]],
  ['the same rule in other words', [ORDER], [OTHER], [OTHER]],
])('new findings: %s', (_name, before, after, expected) => {
  expect(newFindings(before, after)).toEqual(expected);
});
