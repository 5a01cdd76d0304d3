import { describe, expect, test } from 'vitest';
import { basisLabel, effectLabel, type ScoringPreview } from './scoring-effect.tsx';

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
  test.each<{ changes: Partial<ScoringPreview>; label: string }>([
    { changes: {}, label: '3 more would be satisfactory.' },
    { changes: { satisfactory: { before: 9, after: 7 } }, label: '2 fewer would be satisfactory.' },
    {
      changes: { satisfactory: { before: 9, after: 9 } },
      label: 'The number of satisfactory versions would not change.',
    },
    {
      changes: { satisfactory: { before: 9, after: 9 }, overall: { before: 0.71, after: 0.71 } },
      label: 'Stored scores would not change.',
    },
    {
      changes: { satisfactory: { before: 9, after: 9 }, overall: { before: 0.71, after: 0.71 }, runsWithOtherBest: 1 },
      label: 'The number of satisfactory versions would not change.',
    },
    {
      changes: { unknownCriteria: ['tone'], n: 0 },
      label: 'tone was not scored there, so the effect is unknown until a run.',
    },
    {
      changes: { n: 0, overall: null },
      label: 'No stored score has all criteria, so the effect is unknown until a run.',
    },
  ])('$label', ({ changes, label }) => {
    expect(effectLabel({ ...preview, ...changes })).toBe(label);
  });

  test.each<{ changes: Partial<ScoringPreview>; label: string }>([
    { changes: {}, label: '24 stored scores of 8 runs in the latest batch, run under settings v2.' },
    {
      changes: { n: 23, unscored: 1 },
      label: '23 stored scores of 8 runs in the latest batch, run under settings v2; 1 unscored one left out.',
    },
    {
      changes: { looked: 10_000, total: 12_000 },
      label:
        '24 stored scores of 8 runs in the latest batch, run under settings v2; the first 10,000 scores of 12,000 scores checked.',
    },
  ])('$label', ({ changes, label }) => {
    expect(basisLabel({ ...preview, ...changes })).toBe(label);
  });
});
