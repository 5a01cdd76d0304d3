import { describe, expect, test } from 'vitest';
import { type CriteriaScores, isSatisfactory, overallOf } from './score-evaluation.ts';
import { settingsSchema } from './settings.ts';

/** Criteria a, b, c … with these weights and thresholds. */
function settingsOf(criteria: { weight?: number; threshold?: number }[], qualityThreshold = 0.8) {
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
  test.each<[string, number, number[], CriteriaScores, boolean]>([
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
