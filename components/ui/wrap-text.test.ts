import { describe, expect, test } from 'vitest';
import { wrapText } from './wrap-text.ts';

const lettersOf = (text: string) => [...text].length;

describe('wrapText', () => {
  test.each([
    { name: 'that fit', text: 'one two three', width: 7, lines: ['one two', 'three'] },
    { name: 'whatever stands between the words', text: ' one\n\ttwo ', width: 9, lines: ['one two'] },
    { name: 'within a word that is too wide', text: 'ab abcdefgh c', width: 4, lines: ['ab', 'abcd', 'efgh', 'c'] },
    { name: 'between letters, never within one', text: '😀😀😀', width: 2, lines: ['😀😀', '😀'] },
    { name: 'none where it is empty', text: '', width: 5, lines: [] },
  ])('$name', ({ text, width, lines }) => {
    expect(wrapText(text, width, lettersOf)).toEqual(lines);
  });
});
