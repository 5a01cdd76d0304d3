import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffParts, mergeChanges } from './diff-parts.ts';

const lines = fc
  .array(fc.constantFrom('one', 'two', 'three', '', '  four'), { maxLength: 12 })
  .map((list) => list.join('\n'));
const unified = (text: string) => text.replaceAll('\r\n', '\n');

describe('mergeChanges', () => {
  test.each<[string, string, string, number[], string]>([
    ['the first of two changes', 'a\nb\nc\nd', 'A\nb\nc\nD', [1], 'A\nb\nc\nd'],
    ['the second of two changes', 'a\nb\nc\nd', 'A\nb\nc\nD', [2], 'a\nb\nc\nD'],
    ['an added line that is not taken', 'a\nc', 'a\nb\nc', [], 'a\nc'],
    ['a removed line that is kept', 'a\nb\nc', 'a\nc', [], 'a\nb\nc'],
    ['the line ending of the text that contains the last line', 'a\nb\n', 'A\nb\nc', [1], 'A\nb\n'],
    ['the other line ending if the other text contains the last line', 'a\nb\n', 'A\nb\nc', [2], 'a\nb\nc'],
    ['Windows line endings', 'a\r\nb', 'a\r\nB', [1], 'a\nB'],
    ['an empty old text', '', 'a\n', [1], 'a\n'],
    ['an empty new text', 'a\n', '', [1], ''],
    ['two empty texts', '', '', [], ''],
    ['a difference only in line endings, which is no change', 'a\n', 'a', [1], 'a\n'],
  ])('%s', (_name, before, after, taken, merged) => {
    expect(mergeChanges(before, after, (change) => taken.includes(change))).toBe(merged);
  });

  test('taking all changes gives the new text, taking none the old text', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        // A trailing newline is not a change, so there is nothing to take.
        fc.pre(diffParts(before, after).some(({ kind }) => kind === 'change'));
        expect(mergeChanges(before, after, () => true)).toBe(unified(after));
        expect(mergeChanges(before, after, () => false)).toBe(unified(before));
      }),
      { numRuns: 1_000 },
    );
  });

  test('works on whole lines if texts are too long to compare', () => {
    const long = `${'x'.repeat(2_100_000)}\n`;
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const parts = diffParts(`${before}\n${long}${before}`, `${after}\n${long}${after}`);
        for (const part of parts)
          for (const text of part.kind === 'same' ? [part.text] : [part.before, part.after])
            expect(text === '' || text.endsWith('\n')).toBe(true);
        expect(mergeChanges(`${before}\n${long}${before}`, `${after}\n${long}${after}`, () => true)).toBe(
          before === after ? `${before}\n${long}${before}` : unified(`${after}\n${long}${after}`),
        );
      }),
      { numRuns: 30 },
    );
  });

  test('contains only lines of either text, and every unchanged line', () => {
    fc.assert(
      fc.property(lines, lines, fc.func(fc.boolean()), (before, after, isTaken) => {
        const merged = mergeChanges(before, after, isTaken);
        const known = new Set([...before.split('\n'), ...after.split('\n'), '']);
        expect(merged.split('\n').every((line) => known.has(line))).toBe(true);
        const kept = diffParts(before, after).flatMap((part) => (part.kind === 'same' ? part.text.split('\n') : []));
        expect(merged.split('\n').length + 1).toBeGreaterThanOrEqual(kept.filter((line) => line !== '').length);
      }),
    );
  });
});
