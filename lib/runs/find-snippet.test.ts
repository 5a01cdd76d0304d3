import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSnippet, searchTerms } from './search-outputs.ts';

const marked = (text: string, words: string[]) => {
  const snippet = findSnippet(text, words);
  return snippet?.marks.map(([from, to]) => snippet.text.slice(from, to)) ?? null;
};

test.each<{ name: string; typed: string; words: string[] }>([
  { name: 'lower-case words without duplicates', typed: 'Refund refund Policy', words: ['refund', 'policy'] },
  { name: 'no punctuation', typed: ' (foo-bar) * \\ "x" ', words: ['foo', 'bar', 'x'] },
  { name: 'other scripts', typed: 'Überweisung 返金', words: ['überweisung', '返金'] },
  { name: 'an empty query', typed: '… %_ ()', words: [] },
])('$name', ({ typed, words }) => {
  expect(searchTerms(typed)).toEqual(words);
});

test.each<{ name: string; text: string; words: string[]; found: string[] | null }>([
  { name: 'the beginning of a word in any case', text: 'All REFUNDS go', words: ['refund'], found: ['REFUND'] },
  { name: 'nothing inside a word', text: 'prefund', words: ['refund'], found: null },
  { name: 'every occurrence', text: 'a refund, one refund', words: ['refund'], found: ['refund', 'refund'] },
  {
    name: 'the longer of two words with a common prefix',
    text: 'refunds',
    words: ['ref', 'refund'],
    found: ['refund'],
  },
  { name: 'nothing without search words', text: 'refund', words: [], found: null },
])('marks $name', ({ text, words, found }) => {
  expect(marked(text, words)).toEqual(found);
});

test('shows the passage that contains the most search terms', () => {
  const text = `refund ${'filler '.repeat(100)}here a policy on refund stands${' more'.repeat(100)}`;
  const snippet = findSnippet(text, ['refund', 'policy']);
  expect(snippet?.text).toMatch(/^… .*here a policy on refund stands.* …$/);
  expect(snippet?.found).toBe(2);
});

test('marks only search terms in a passage of the text, for any input', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 600 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      (text, typed) => {
        const words = searchTerms(typed);
        const snippet = findSnippet(text, words);
        if (snippet === null) return;
        const inner = snippet.text.replace(/^… /, '').replace(/ …$/, '');
        expect(text.toWellFormed()).toContain(inner.replaceAll('\uFFFD', '').slice(0, 5));
        for (const [from, to] of snippet.marks) {
          expect(to).toBeGreaterThan(from);
          expect(words).toContain(snippet.text.slice(from, to).toLowerCase());
        }
      },
    ),
  );
});
