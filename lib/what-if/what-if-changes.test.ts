import { describe, expect, test } from 'vitest';
import { settingsOf } from '#lib/core/history-of.test-support.ts';
import { readChanges, type WhatIfChanges, withChanges, writeChanges } from './what-if-changes.ts';

describe('what-if changes in the URL', () => {
  test.each<{ changes: WhatIfChanges; word: string }>([
    { changes: {}, word: 'on' },
    { changes: { qualityThreshold: 0.74 }, word: 'quality:0.74' },
    { changes: { cap: 7, patience: 3, improvementThreshold: 0 }, word: 'cap:7~patience:3~rise:0' },
    { changes: { earlyStops: false, detectOscillation: true }, word: 'early:off~oscillation:on' },
    { changes: { bestVersion: 'weighted_recency' }, word: 'best:weighted_recency' },
    { changes: { weights: { 0: 2, 3: 0.5 }, thresholds: { 1: 0 } }, word: 'weight.0:2~weight.3:0.5~threshold.1:0' },
    { changes: { thresholds: { 0: null, 2: 0.4 } }, word: 'threshold.0:none~threshold.2:0.4' },
  ])('$word', ({ changes, word }) => {
    expect(writeChanges(changes)).toBe(word);
    expect(readChanges(word)).toEqual(changes);
  });

  test.each([
    '',
    'quality:',
    'quality:-1',
    'quality:x',
    'best:worst',
    'weight.x:1',
    'weight.999:1',
    'early:maybe',
    'weight.0:none',
    '__proto__:1',
    '~~:',
  ])('ignores the invalid value %j', (word) => {
    expect(readChanges(word)).toEqual({});
  });
});

describe('settings with changes', () => {
  const settings = settingsOf({
    criteria: [
      { name: 'a', weight: 2, threshold: 0.5, evaluator: 'llm' },
      { name: 'b', weight: 1, threshold: 0.6, evaluator: 'llm' },
    ],
  });
  test('are unchanged without changes', () => {
    expect(withChanges(settings, {})).toEqual(settings);
  });
  test('are clamped to their range', () => {
    const changed = withChanges(settings, {
      qualityThreshold: 7,
      cap: 900,
      patience: 0,
      improvementThreshold: 3,
      weights: { 0: 500 },
      thresholds: { 1: 2 },
    });
    expect(changed).toMatchObject({
      qualityThreshold: 1,
      maxIterations: 50,
      convergence: { plateauIterations: 1, improvementThreshold: 1 },
    });
    expect(changed.criteria).toMatchObject([
      { weight: 100, threshold: 0.5 },
      { weight: 1, threshold: 1 },
    ]);
  });
  test('use the cap of the mode', () => {
    const retry = { ...settings, mode: 'retry' as const };
    expect(withChanges(retry, { cap: 0 })).toMatchObject({ maxAttempts: 1, maxIterations: settings.maxIterations });
    expect(withChanges(settings, { cap: 0 })).toMatchObject({ maxIterations: 0, maxAttempts: settings.maxAttempts });
  });
  test('ignore weights that are all 0', () => {
    expect(withChanges(settings, { weights: { 0: 0, 1: 0 } }).criteria).toEqual(settings.criteria);
  });
  test('turn early stops off together, and on with defaults', () => {
    expect(withChanges(settings, { earlyStops: false, patience: 3 }).convergence).toBeNull();
    const without = { ...settings, convergence: null };
    expect(withChanges(without, { patience: 3 }).convergence).toBeNull();
    expect(withChanges(without, { earlyStops: true, patience: 3 }).convergence).toMatchObject({
      plateauIterations: 3,
      detectStability: true,
    });
  });
});
