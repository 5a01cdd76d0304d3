import { describe, expect, test } from 'vitest';
import { basisLabel, effectSentence, type ScoringPreview } from './scoring-effect-words.ts';

const preview: ScoringPreview = {
  n: 24,
  unscored: 0,
  satisfactory: { before: 9, after: 12 },
  overall: { before: 0.71, after: 0.74 },
  runs: 8,
  runsSatisfied: { before: 5, after: 6 },
  runsWithOtherBest: 0,
  unknownCriteria: [],
  looked: 24,
  total: 24,
  experimentVersion: 2,
};

describe('describes the effect of edited weights and thresholds', () => {
  test.each<{ changes: Partial<ScoringPreview>; words: string }>([
    { changes: {}, words: '3 more would be satisfactory.' },
    { changes: { satisfactory: { before: 9, after: 7 } }, words: '2 fewer would be satisfactory.' },
    {
      changes: { satisfactory: { before: 9, after: 9 } },
      words: 'The number of satisfactory versions would not change.',
    },
    {
      changes: { satisfactory: { before: 9, after: 9 }, overall: { before: 0.71, after: 0.71 } },
      words: 'Stored scores would not change.',
    },
    {
      changes: { satisfactory: { before: 9, after: 9 }, overall: { before: 0.71, after: 0.71 }, runsWithOtherBest: 1 },
      words: 'The number of satisfactory versions would not change.',
    },
    {
      changes: { unknownCriteria: ['tone'], n: 0 },
      words: 'tone was not scored there, so the effect is unknown until a run.',
    },
    {
      changes: { n: 0, overall: null },
      words: 'No stored score has all criteria, so the effect is unknown until a run.',
    },
  ])('$words', ({ changes, words }) => {
    expect(effectSentence({ ...preview, ...changes })).toBe(words);
  });

  test.each<{ changes: Partial<ScoringPreview>; words: string }>([
    { changes: {}, words: '24 stored scores of 8 runs in the latest batch, run under settings v2.' },
    {
      changes: { n: 23, unscored: 1 },
      words: '23 stored scores of 8 runs in the latest batch, run under settings v2; 1 unscored one left out.',
    },
    {
      changes: { looked: 10_000, total: 12_000 },
      words:
        '24 stored scores of 8 runs in the latest batch, run under settings v2; the first 10,000 scores of 12,000 scores checked.',
    },
  ])('$words', ({ changes, words }) => {
    expect(basisLabel({ ...preview, ...changes })).toBe(words);
  });
});
