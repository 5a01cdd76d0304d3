import { describe, expect, test } from 'vitest';
import type { RescoreReport, ScoreSpread } from '#lib/statistics/rescore-report.ts';
import { rescorePrice, rescoreState, spreadSentence } from './rescore-labels.ts';
import { evaluationFixture } from './run-fixture.ts';

const spread: ScoreSpread = {
  criterion: null,
  first: 0.71,
  n: 5,
  unscored: 0,
  mean: 0.72,
  standardDeviation: 0.02,
  lowest: 0.7,
  highest: 0.75,
  within: 5,
};
const report: RescoreReport = {
  version: 1,
  asked: 5,
  waiting: 0,
  scored: 5,
  unscored: 0,
  failed: 0,
  skipped: 0,
  failure: null,
  spreads: [spread],
  tokens: 100,
  costUsd: 0.01,
  unpriced: false,
};

describe('what re-scores say', () => {
  test.each([
    { changes: {}, words: 'The judge holds to its score: from 0.70 to 0.75, all 5 within 0.10 of the first, 0.71.' },
    {
      changes: { within: 3, highest: 0.9 },
      words: 'The judge wavers: from 0.70 to 0.90, 3 of 5 within 0.10 of the first, 0.71.',
    },
    {
      changes: { lowest: 0.71, highest: 0.71 },
      words: 'The judge said 0.71 all 5 times, all 5 within 0.10 of the first, 0.71.',
    },
    {
      changes: { n: 1, within: 1, lowest: 0.7, highest: 0.7 },
      words: 'The judge said 0.70 once, all within 0.10 of the first, 0.71.',
    },
    {
      changes: { n: 0, lowest: null, highest: null, mean: null, within: 0 },
      words: 'None of them could be scored, so nothing can be said of the judge.',
    },
  ])('$words', ({ changes, words }) => {
    expect(spreadSentence({ ...spread, ...changes })).toBe(words);
  });

  test.each([
    { changes: {}, words: null },
    { changes: { waiting: 2 }, words: '3 of 5 made, 2 to come' },
    { changes: { unscored: 1, failed: 1, skipped: 2 }, words: '1 unscored, 1 failed, 2 not asked after that' },
  ])('$words', ({ changes, words }) => {
    expect(rescoreState({ ...report, ...changes })).toBe(words);
  });

  test('the price is told before', () => {
    expect(rescorePrice(5, 1, evaluationFixture(0.7))).toBe('about 5 calls, 6,000 tokens, $0.0100');
    expect(rescorePrice(5, 2, evaluationFixture(0.7, { costUsd: null }))).toBe(
      'about 10 calls, 6,000 tokens, no known price',
    );
    expect(rescorePrice(5, 1, evaluationFixture(0.7, { copiedFrom: 0, costUsd: 0 }))).toBe('about 5 calls');
    expect(rescorePrice(5, 0, undefined)).toBe('no model call: the criteria are checked by Hone itself');
  });
});
