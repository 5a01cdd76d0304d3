import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quotesReference } from './quotes-reference.ts';

describe('text that quotes the reference', () => {
  test.each([
    ['word for word', 'Expected Zanzibar here', 'Zanzibar'],
    ['in another case, quoted', 'not "ZANZIBAR"!', 'zanzibar'],
    ['between signs', 'island="Zanzibar",', 'Zanzibar'],
    ['without its article', 'it is Amazon', 'The Amazon'],
    ['with other spaces and signs', 'should be 1234', '1,234'],
    ['written together', 'zanzibarcity', 'Zanzibar City'],
    ['a short one, as a word', 'Expected 4, got 5', '4'],
    ['a yes', 'the answer is yes', 'Yes'],
    ['an article alone', 'take option A', 'A'],
    ['a sign alone', 'x ≥ y', '≥'],
    [
      'five of its words',
      'you left out "quick brown fox jumps over" there',
      'The quick brown fox jumps over the lazy dog.',
    ],
    ['in wide letters', 'Ｚａｎｚｉｂａｒ', 'Zanzibar'],
    ['in another script', 'これは東京です', '東京です'.repeat(1)],
  ])('%s', (_name, text, reference) => {
    expect(quotesReference(text, reference)).toBe(true);
  });
});

describe('text that does not quote the reference', () => {
  test.each([
    ['there is none', 'anything', null],
    ['an empty one', 'anything', ''],
    ['a short one inside another word', 'got 14 of 40 words', '4'],
    ['four of its words', 'the quick brown fox jumps', 'A quick brown fox jumps over the lazy dog.'],
    ['talk about it', 'The answer is not the reference.', 'Zanzibar'],
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
