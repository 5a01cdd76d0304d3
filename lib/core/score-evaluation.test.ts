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
    ['one', [1], { a: 0.4 }, 0.4],
    ['the mean', [1, 1], { a: 0.4, b: 0.8 }, 0.6],
    ['weighted', [3, 1], { a: 0.4, b: 0.8 }, 0.5],
    ['weight 0 does not count', [1, 0], { a: 0.4, b: 1 }, 0.4],
    ['rounded to 6 decimals', [1, 1, 1], { a: 0.1, b: 0.2, c: 0.7 }, 0.333333],
    ['0.1 + 0.2', [1, 1], { a: 0.1, b: 0.2 }, 0.15],
    ['all nought', [1, 1], { a: 0, b: 0 }, 0],
    ['one unscored', [1, 1], { a: 0.4, b: null }, null],
    ['one unscored of weight 0', [1, 0], { a: 0.4, b: null }, null],
    ['one missing', [1, 1], { a: 0.4 }, null],
    ['scores of other criteria do not count', [1], { a: 0.4, z: 1 }, 0.4],
  ])('%s', (_name, weights, scores, expected) => {
    expect(overallOf(settingsOf(weights.map((weight) => ({ weight }))), scores)).toBe(expected);
  });
});

describe('isSatisfactory', () => {
  test.each<[string, number, (number | null)[], CriteriaScores, boolean]>([
    ['above all', 0.8, [0.7, 0.7], { a: 0.9, b: 0.9 }, true],
    ['exactly at the quality threshold', 0.8, [0.7], { a: 0.8 }, true],
    ['just below it', 0.8, [0.7], { a: 0.799999 }, false],
    ['below it by less than 6 decimals show', 0.8, [0.7], { a: 0.7999999 }, true],
    ['a floating sum at the threshold', 0.7, [0, 0, 0], { a: 0.7, b: 0.7, c: 0.7 }, true],
    ['one criterion below its own', 0.5, [0.7, 0.7], { a: 1, b: 0.69 }, false],
    ['one criterion exactly at its own', 0.5, [0.7, 0.7], { a: 1, b: 0.7 }, true],
    ['overall below though every criterion holds', 0.8, [0.5, 0.5], { a: 0.6, b: 0.9 }, false],
    ['thresholds of nought', 0, [0], { a: 0 }, true],
    ['thresholds of one', 1, [1], { a: 1 }, true],
    [
      'a criterion without a threshold of its own, below a low overall one',
      0.5,
      [null, null],
      { a: 0.9, b: 0.2 },
      true,
    ],
    ['the same below the overall one', 0.6, [null, null], { a: 0.9, b: 0.2 }, false],
    ['one with a threshold beside one without', 0.5, [null, 0.3], { a: 0.9, b: 0.2 }, false],
    ['an unscored one without a threshold', 0, [null, null], { a: 1, b: null }, false],
    ['an unscored one', 0, [0, 0], { a: 1, b: null }, false],
    ['a missing one', 0, [0, 0], { a: 1 }, false],
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
