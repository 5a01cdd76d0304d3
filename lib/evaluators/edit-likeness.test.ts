import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editDistanceWithin } from '#lib/core/stop-rules.ts';
import { editSimilarity } from './reference.ts';

describe('edit similarity', () => {
  test.each<[string, string, string, number]>([
    ['kitten, sitting: distance 3 (Levenshtein’s example)', 'kitten', 'sitting', 1 - 3 / 7],
    ['Saturday, Sunday: distance 3 (Wagner and Fischer’s example)', 'Saturday', 'Sunday', 1 - 3 / 8],
    ['equal texts', 'pemba', 'pemba', 1],
    ['completely different texts', 'abc', 'xyz', 0],
    ['one empty text', '', 'abc', 0],
    ['two empty texts', '', '', 1],
    ['a character of two UTF-16 units', '😀', '😁', 1 / 2],
    ['texts longer than a machine word', `${'x'.repeat(99)}y`, 'x'.repeat(100), 0.99],
  ])('%s', (_name, one, other, expected) => {
    expect(editSimilarity(one, other)).toBeCloseTo(expected, 12);
    expect(editSimilarity(other, one)).toBeCloseTo(expected, 12);
  });

  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '😀'), maxLength: 90 });

  test('agrees with the edit distance of the stop rules', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const longer = Math.max(one.length, other.length, 1);
        const distance = editDistanceWithin(one, other, longer) ?? Number.NaN;
        expect(editSimilarity(one, other)).toBeCloseTo(1 - distance / longer, 12);
      }),
      { numRuns: 500 },
    );
  });
});
