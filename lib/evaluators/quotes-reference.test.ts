import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quotesReference } from './quotes-reference.ts';

describe('text that quotes the reference', () => {
  test.each([
    ['verbatim', 'Expected Zanzibar here', 'Zanzibar'],
    ['in another case, in quotation marks', 'not "ZANZIBAR"!', 'zanzibar'],
    ['between punctuation', 'island="Zanzibar",', 'Zanzibar'],
    ['without its article', 'it is Amazon', 'The Amazon'],
    ['with other spaces and punctuation', 'should be 1234', '1,234'],
    ['without spaces', 'zanzibarcity', 'Zanzibar City'],
    ['a short reference as a word', 'Expected 4, got 5', '4'],
    ['a reference of "yes"', 'the answer is yes', 'Yes'],
    ['a reference of only an article', 'take option A', 'A'],
    ['a reference of only punctuation', 'x ≥ y', '≥'],
    [
      'five of its words',
      'you left out "quick brown fox jumps over" there',
      'The quick brown fox jumps over the lazy dog.',
    ],
    ['one of several right answers', 'Paris would be right', '["Lutetia", "Paris"]'],
    ['in full-width letters', 'Ｚａｎｚｉｂａｒ', 'Zanzibar'],
    ['in another script', 'これは東京です', '東京です'],
    ['a short one in a script without spaces', '正确答案是北京，不是上海。', '北京'],
    [
      'ten letters of it in a script without spaces',
      '你漏掉了“快速的棕色狐狸跳过懒狗”这句。',
      '那只快速的棕色狐狸跳过懒狗以后就跑远了。',
    ],
  ])('%s', (_name, text, reference) => {
    expect(quotesReference(text, reference)).toBe(true);
  });
});

describe('text that does not quote the reference', () => {
  test.each([
    ['no reference', 'anything', null],
    ['an empty reference', 'anything', ''],
    ['a short reference inside another word', 'got 14 of 40 words', '4'],
    ['four of its words', 'the quick brown fox jumps', 'A quick brown fox jumps over the lazy dog.'],
    ['one letter in a script without spaces', '这不是正确的答案', '是'],
    [
      'six letters of it in a script without spaces',
      '棕色狐狸跳过了一条河',
      '那只快速的棕色狐狸跳过懒狗以后就跑远了。',
    ],
    ['a description of the reference', 'The answer is not the reference.', 'Zanzibar'],
  ])('%s', (_name, text, reference) => {
    expect(quotesReference(text, reference)).toBe(false);
  });
});

test('a text that contains the reference between spaces always quotes it', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string({ minLength: 1 }), (before, after, reference) => {
      fc.pre(reference.trim() !== '');
      return quotesReference(`${before} ${reference} ${after}`, reference);
    }),
  );
});
