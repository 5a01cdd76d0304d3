import { describe, expect, test } from 'vitest';
import { type CriteriaScores, getPassThreshold, isSatisfactory, overallOf } from './score-evaluation.ts';
import { settingsSchema } from './settings.ts';

/** Criteria a, b, c … with these weights and thresholds. */
function settingsOf(criteria: { weight?: number; threshold?: number | null }[], qualityThreshold = 0.8) {
  return settingsSchema.parse({
    mode: 'revise',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria: criteria.map((criterion, at) => ({ name: 'abcdef'[at], evaluator: 'llm', ...criterion })),
    qualityThreshold,
  });
}

describe('overallOf', () => {
  test.each<[string, number[], CriteriaScores, number | null]>([
    ['one score', [1], { a: 0.4 }, 0.4],
    ['the mean of several scores', [1, 1], { a: 0.4, b: 0.8 }, 0.6],
    ['the weighted mean', [3, 1], { a: 0.4, b: 0.8 }, 0.5],
    ['ignores a weight of 0', [1, 0], { a: 0.4, b: 1 }, 0.4],
    ['rounded to 6 decimals', [1, 1, 1], { a: 0.1, b: 0.2, c: 0.7 }, 0.333333],
    ['adds 0.1 and 0.2 without a rounding error', [1, 1], { a: 0.1, b: 0.2 }, 0.15],
    ['all zero', [1, 1], { a: 0, b: 0 }, 0],
    ['an unscored criterion', [1, 1], { a: 0.4, b: null }, null],
    ['an unscored criterion of weight 0', [1, 0], { a: 0.4, b: null }, null],
    ['a missing criterion', [1, 1], { a: 0.4 }, null],
    ['ignores scores of other criteria', [1], { a: 0.4, z: 1 }, 0.4],
  ])('%s', (_name, weights, scores, expected) => {
    expect(overallOf(settingsOf(weights.map((weight) => ({ weight }))), scores)).toBe(expected);
  });
});

describe('isSatisfactory', () => {
  test.each<[string, number, (number | null)[], CriteriaScores, boolean]>([
    ['above all thresholds', 0.8, [0.7, 0.7], { a: 0.9, b: 0.9 }, true],
    ['exactly at the quality threshold', 0.8, [0.7], { a: 0.8 }, true],
    ['just below the quality threshold', 0.8, [0.7], { a: 0.799999 }, false],
    ['below the quality threshold by less than 6 decimals show', 0.8, [0.7], { a: 0.7999999 }, true],
    ['a floating-point sum at the quality threshold', 0.7, [0, 0, 0], { a: 0.7, b: 0.7, c: 0.7 }, true],
    ['one criterion below its threshold', 0.5, [0.7, 0.7], { a: 1, b: 0.69 }, false],
    ['one criterion exactly at its threshold', 0.5, [0.7, 0.7], { a: 1, b: 0.7 }, true],
    ['below the quality threshold although every criterion passes', 0.8, [0.5, 0.5], { a: 0.6, b: 0.9 }, false],
    ['thresholds of 0', 0, [0], { a: 0 }, true],
    ['thresholds of 1', 1, [1], { a: 1 }, true],
    ['a criterion without a threshold, below a low quality threshold', 0.5, [null, null], { a: 0.9, b: 0.2 }, true],
    ['a criterion without a threshold, below the quality threshold', 0.6, [null, null], { a: 0.9, b: 0.2 }, false],
    ['a criterion with a threshold and one without', 0.5, [null, 0.3], { a: 0.9, b: 0.2 }, false],
    ['an unscored criterion without a threshold', 0, [null, null], { a: 1, b: null }, false],
    ['an unscored criterion', 0, [0, 0], { a: 1, b: null }, false],
    ['a missing criterion', 0, [0, 0], { a: 1 }, false],
  ])('%s', (_name, qualityThreshold, thresholds, scores, expected) => {
    const settings = settingsOf(
      thresholds.map((threshold) => ({ threshold })),
      qualityThreshold,
    );
    expect(isSatisfactory(settings, overallOf(settings, scores), scores)).toBe(expected);
  });
});

describe('criterion thresholds', () => {
  const criterion = { name: 'a', evaluator: 'llm' };
  const parse = (criteria: unknown[]) =>
    settingsSchema.parse({
      mode: 'retry',
      generator: { provider: 'practice', model: 'practice-1' },
      qualityThreshold: 0.5,
      criteria,
    });

  test('default to null, so only the overall threshold decides', () => {
    const settings = parse([criterion, { ...criterion, name: 'b' }]);
    expect(settings.criteria.map(({ threshold }) => threshold)).toEqual([null, null]);
    expect(isSatisfactory(settings, 0.55, { a: 0.55, b: 0.55 })).toBe(true);
  });

  test('of stored settings are kept and applied', () => {
    const settings = parse([{ ...criterion, threshold: 0.7 }]);
    expect(settingsSchema.parse(structuredClone(settings))).toEqual(settings);
    expect(isSatisfactory(settings, 0.55, { a: 0.55 })).toBe(false);
  });

  test('decide for a single criterion, which falls back to the overall threshold', () => {
    const settings = parse([criterion, { ...criterion, name: 'b', threshold: 0.9 }]);
    expect(settings.criteria.map((one) => getPassThreshold(one, settings))).toEqual([0.5, 0.9]);
  });
});
