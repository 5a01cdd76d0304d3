import { describe, expect, test } from 'vitest';
import { DIFFERENT, HELD_OUT_DIFFERENT, HELD_OUT_PARAPHRASES, PARAPHRASES } from './issue-pairs.test-support.ts';
import { issueSimilarity, issueTokens, SAME_ISSUE_SIMILARITY } from './issue-similarity.ts';

function similarity([one, other]: readonly [string, string]): number {
  return issueSimilarity(issueTokens(one), issueTokens(other));
}

function atLeast(pairs: readonly (readonly [string, string])[], threshold: number): number {
  return pairs.filter((pair) => similarity(pair) >= threshold).length;
}

/** Number of paraphrases found and of different issues merged, out of 40 each. */
test.each<[threshold: number, found: number, merged: number]>([
  [0.4, 40, 12],
  [0.5, 40, 8],
  [0.55, 39, 4],
  [0.6, 37, 3],
  [0.7, 35, 3],
  [0.8, 27, 0],
])('at a threshold of %s: %s of 40 paraphrases, %s of 40 different issues', (threshold, found, merged) => {
  expect([PARAPHRASES.length, DIFFERENT.length]).toEqual([40, 40]);
  expect([atLeast(PARAPHRASES, threshold), atLeast(DIFFERENT, threshold)]).toEqual([found, merged]);
});

test('the threshold classifies the most pairs of the table correctly', () => {
  const correct = (threshold: number) => atLeast(PARAPHRASES, threshold) + 40 - atLeast(DIFFERENT, threshold);
  const thresholds = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8];
  expect(correct(SAME_ISSUE_SIMILARITY)).toBe(Math.max(...thresholds.map(correct)));
  expect(correct(SAME_ISSUE_SIMILARITY)).toBe(75);
});

test('classifies 48 of 60 held-out pairs correctly', () => {
  expect(atLeast(HELD_OUT_PARAPHRASES, SAME_ISSUE_SIMILARITY)).toBe(25);
  expect(atLeast(HELD_OUT_DIFFERENT, SAME_ISSUE_SIMILARITY)).toBe(7);
});

describe('never matches', () => {
  test.each<[string, string, string]>([
    ['different numbers', 'Line 3 is long', 'Line 4 is long'],
    ['different quotations', 'The word "stuff" is vague', 'The word "things" is vague'],
    ['different code names', 'readFile has no docstring', 'writeFile has no docstring'],
    ['only that something is missing', 'It is missing', 'It is absent'],
    ['no words', '…', '???'],
  ])('%s', (_name, one, other) => {
    expect(similarity([one, other])).toBe(0);
  });
});

test('abbreviations are not treated as code names', () => {
  expect(similarity(['Vague words, e.g. about dates', 'Vague words about dates, i.e. when'])).toBeGreaterThan(0.55);
});

test('is symmetric, and 1 for identical texts', () => {
  for (const [one, other] of [...PARAPHRASES, ...DIFFERENT]) {
    expect(similarity([one, other])).toBe(similarity([other, one]));
    expect(similarity([one, one])).toBe(1);
  }
});

test.each([
  ['a single word', 'a'.repeat(1_000_000)],
  ['quotation marks', '"'.repeat(1_000_000)],
  ['capital letters', 'aB'.repeat(500_000)],
  ['dots', 'a.'.repeat(500_000)],
])('processes a hostile text quickly: %s', (_name, text) => {
  const startedAt = process.threadCpuUsage();
  similarity([text, text]);
  expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(200);
});
