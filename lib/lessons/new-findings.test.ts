import { expect, test } from 'vitest';
import { newFindings } from './review-status.ts';

const ORDER = { family: 'prompt_injection', rule: 'orders', matched: 'ignore all that was said' };
const OTHER = { ...ORDER, matched: 'forget your task' };
const SCORE = { family: 'score_manipulation', rule: 'names the score', matched: 'score higher' };

test.each([
  ['none if nothing is found', [ORDER], [], []],
  ['none if all findings are known', [ORDER, SCORE], [SCORE, ORDER], []],
  ['another rule', [ORDER], [ORDER, SCORE], [SCORE]],
  ['the same rule with other text', [ORDER], [OTHER], [OTHER]],
])('new findings: %s', (_name, before, after, expected) => {
  expect(newFindings(before, after)).toEqual(expected);
});
