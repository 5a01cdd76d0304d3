import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areAlike, editDistanceWithin } from './stop-rules.ts';
import { seededNumber } from './text-values.ts';

/** The textbook dynamic programming algorithm. */
function levenshtein(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (one[at - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

describe('areAlike', () => {
  test.each<[string, string, string, number, boolean]>([
    ['two empty texts', '', '', 1, true],
    ['an empty and another text', '', 'x', 0.98, false],
    ['an empty and another text at a threshold of 0', '', 'x', 0, true],
    ['one changed letter of fifty', 'x'.repeat(50), `y${'x'.repeat(49)}`, 0.98, true],
    ['one changed letter of forty-nine', 'x'.repeat(49), `y${'x'.repeat(48)}`, 0.98, false],
    ['an added letter', 'x'.repeat(49), 'x'.repeat(50), 0.98, true],
    ['a moved letter counts as two edits', `y${'x'.repeat(99)}`, `${'x'.repeat(99)}y`, 0.98, true],
    ['a moved letter of fifty', `y${'x'.repeat(49)}`, `${'x'.repeat(49)}y`, 0.98, false],
    ['0.9 of ten, which floating point puts slightly higher', 'x'.repeat(10), `y${'x'.repeat(9)}`, 0.9, true],
    ['0.7 of ten', 'abcdefghij', 'abcdefgxyz', 0.7, true],
    ['0.7 of ten with one more letter', 'abcdefghij', 'abcdefwxyz', 0.7, false],
  ])('%s', (_name, one, other, least, alike) => {
    expect(areAlike(one, other, least)).toBe(alike);
    expect(areAlike(other, one, least)).toBe(alike);
  });

  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '😀'), maxLength: 14 });

  test('agrees with the textbook algorithm on short texts', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 20 }), (one, other, twentieths) => {
        const longer = Math.max(one.length, other.length);
        // In integers: similarity ≥ twentieths / 20.
        const expected = 20 * levenshtein(one, other) <= (20 - twentieths) * longer;
        expect(areAlike(one, other, twentieths / 20)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  test('editDistanceWithin returns the textbook distance, or null above the maximum', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 16 }), (one, other, allowed) => {
        const distance = levenshtein(one, other);
        expect(editDistanceWithin(one, other, allowed)).toBe(distance <= allowed ? distance : null);
      }),
      { numRuns: 2_000 },
    );
  });

  test('compares long texts with edits everywhere in less than two seconds', () => {
    const one = Array.from(
      { length: 100_000 },
      (_, at) => 'abcdefghijklmnop'[(seededNumber(String(at)) * 16) | 0],
    ).join('');
    const other = one.replaceAll(/(.{99})./g, '$1#');
    const startedAt = performance.now();
    expect(areAlike(one, other, 0.98)).toBe(true);
    expect(areAlike(one, one.replaceAll(/(.{39})./g, '$1#'), 0.98)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
