import { describe, expect, test } from 'vitest';
import { wrapText } from './wrap-text.ts';

const lettersOf = (text: string) => [...text].length;

describe('wrapText', () => {
  test.each([
    { name: 'keeps words that fit on one line', text: 'one two three', width: 7, lines: ['one two', 'three'] },
    { name: 'splits at any white space', text: ' one\n\ttwo ', width: 9, lines: ['one two'] },
    { name: 'splits a word that is too wide', text: 'ab abcdefgh c', width: 4, lines: ['ab', 'abcd', 'efgh', 'c'] },
    { name: 'splits between characters, never within one', text: '😀😀😀', width: 2, lines: ['😀😀', '😀'] },
    { name: 'returns no lines for an empty text', text: '', width: 5, lines: [] },
  ])('$name', ({ text, width, lines }) => {
    expect(wrapText(text, width, lettersOf)).toEqual(lines);
  });
});
