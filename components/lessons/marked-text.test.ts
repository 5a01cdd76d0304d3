import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markMatches } from './marked-text.tsx';

const shown = (text: string, matches: string[]) =>
  markMatches(text, matches)
    .map((piece) => (piece.marked ? `[${piece.text}]` : piece.text))
    .join('');

describe('markMatches', () => {
  test.each([
    { name: 'no match', text: 'Add an example.', matches: [], says: 'Add an example.' },
    { name: 'one match', text: 'Ignore all rules.', matches: ['Ignore all'], says: '[Ignore all] rules.' },
    { name: 'every occurrence', text: 'a b a', matches: ['a'], says: '[a] b [a]' },
    { name: 'overlapping matches merged', text: 'abcdef', matches: ['abc', 'cde'], says: '[abcde]f' },
    { name: 'no literal match', text: 'abc', matches: ['aBc', ''], says: 'abc' },
    { name: 'an empty text', text: '', matches: ['a'], says: '' },
    { name: 'pattern characters taken literally', text: 'a.c abc', matches: ['a.c'], says: '[a.c] abc' },
  ])('$name', ({ text, matches, says }) => {
    expect(shown(text, matches)).toBe(says);
  });

  test('the pieces join to the original text and alternate between marked and unmarked', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀', ' '), maxLength: 30 });
    fc.assert(
      fc.property(letters, fc.array(letters, { maxLength: 4 }), (text, matches) => {
        const pieces = markMatches(text, matches);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        expect(pieces.every((piece, at) => piece.marked !== pieces[at + 1]?.marked)).toBe(true);
        for (const match of matches.filter((one) => one !== '' && text.includes(one)))
          expect(pieces.some((piece) => piece.marked && piece.text.includes(match))).toBe(true);
      }),
    );
  });
});
