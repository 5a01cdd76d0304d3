import { describe, expect, test } from 'vitest';
import { settingsSchema } from '#lib/core/settings.ts';
import type { Scoring } from './rescore-report.ts';
import { type StoredScore, scoringEffect } from './scoring-effect.ts';

function scoring(
  weights: Record<string, number>,
  thresholds: Record<string, number>,
  qualityThreshold: number,
): Scoring {
  const criteria = Object.entries(weights).map(([name, weight]) => ({
    name,
    weight,
    threshold: thresholds[name] ?? 0,
    evaluator: 'llm' as const,
  }));
  return settingsSchema.parse({
    mode: 'revise',
    generator: { provider: 'p', model: 'm' },
    criteria,
    qualityThreshold,
  });
}

function stored(
  run: number,
  version: number,
  a: number | null,
  b: number | null,
  changes: Partial<StoredScore> = {},
): StoredScore {
  const overallScore = a === null || b === null ? null : (a + b) / 2;
  return {
    run,
    version,
    overallScore,
    satisfactory: overallScore !== null && overallScore >= 0.7,
    criteriaScores: { a, b },
    isWhole: false,
    ...changes,
  };
}

const SCORES = [stored(0, 0, 0.9, 0.3), stored(0, 1, 0.6, 0.8), stored(1, 0, 0.8, 0.8), stored(2, 0, 0.9, null)];

test('compares a whole score from a person with the threshold at 6 decimals', () => {
  const whole = stored(0, 0, 0.3, 0.3, { isWhole: true });
  expect(scoringEffect([whole], scoring({ a: 1, b: 1 }, {}, 0.1 + 0.2)).satisfactory.after).toBe(1);
});

describe('effect of weights and thresholds on stored scores', () => {
  test.each([
    {
      name: 'unchanged settings change nothing',
      changed: scoring({ a: 1, b: 1 }, {}, 0.7),
      is: { satisfactory: { before: 2, after: 2 }, overall: { before: 0.7, after: 0.7 }, runsWithOtherBest: 0 },
    },
    {
      name: 'a higher quality threshold',
      changed: scoring({ a: 1, b: 1 }, {}, 0.75),
      is: {
        satisfactory: { before: 2, after: 1 },
        runsSatisfied: { before: 2, after: 1 },
        overall: { before: 0.7, after: 0.7 },
      },
    },
    {
      name: 'counting only one criterion makes another version the best',
      changed: scoring({ a: 1, b: 0 }, {}, 0.7),
      is: { satisfactory: { before: 2, after: 2 }, runsWithOtherBest: 1 },
    },
    {
      name: 'a criterion threshold',
      changed: scoring({ a: 1, b: 1 }, { a: 0.7 }, 0.7),
      is: { satisfactory: { before: 2, after: 1 } },
    },
  ])('$name', ({ changed, is }) => {
    const effect = scoringEffect(SCORES, changed);
    expect(effect).toMatchObject({ n: 3, unscored: 1, runs: 2, unknownCriteria: [] });
    expect(effect).toMatchObject({
      ...is,
      ...(is.overall && {
        overall: { before: expect.closeTo(is.overall.before, 9), after: expect.closeTo(is.overall.after, 9) },
      }),
    });
  });

  test('reports a criterion that was never scored as unknown', () => {
    expect(scoringEffect(SCORES, scoring({ a: 1, fresh: 1 }, {}, 0.7))).toMatchObject({
      n: 0,
      unscored: 4,
      overall: null,
      unknownCriteria: ['fresh'],
    });
  });

  test('a removed criterion no longer counts or makes a version unscored', () => {
    expect(scoringEffect(SCORES, scoring({ a: 1 }, {}, 0.85))).toMatchObject({ n: 3, satisfactory: { after: 1 } });
  });

  test('compares a human overall score with the pass threshold only', () => {
    const whole = stored(0, 0, 0.1, 0.1, { overallScore: 0.9, satisfactory: true, isWhole: true });
    expect(scoringEffect([whole], scoring({ a: 1, b: 1 }, { a: 0.7 }, 0.85))).toMatchObject({
      satisfactory: { before: 1, after: 1 },
    });
  });

  test('handles no stored scores', () => {
    expect(scoringEffect([], scoring({ a: 1 }, {}, 0.5))).toMatchObject({ n: 0, runs: 0, overall: null });
  });
});
