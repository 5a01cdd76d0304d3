import { describe, expect, test } from 'vitest';
import { indexSynonyms, relatedTerms, synonymGroups } from './related-terms.ts';

const GROUPS = [
  [['throttle'], ['rate', 'limit']],
  [['crawler'], ['scraper'], ['spider']],
  [['the'], ['crawler']],
];
const index = indexSynonyms(GROUPS, (word) => (word === 'the' ? null : word));

function near(words: string[], vocabulary: string[] = []) {
  const found = relatedTerms(new Set(words), index, new Set(vocabulary));
  return Object.fromEntries(
    [...found].map(([word, terms]) => [word, terms.map((term) => term.words.join(' ')).sort()]),
  );
}

describe('relatedTerms', () => {
  test.each([
    ['synonyms, in either direction', ['spider'], [], { spider: ['crawler', 'scraper'] }],
    ['a term of several words', ['throttle'], [], { throttle: ['rate limit'] }],
    ['several words for one', ['rate', 'limit'], [], { rate: ['throttle'], limit: ['throttle'] }],
    ['not for one of the several', ['rate'], [], {}],
    ['a word of the library with a typing mistake', ['authetic'], ['authentic', 'apple'], { authetic: ['authentic'] }],
    ['not where the library has the word itself', ['tables'], ['tables', 'tablet'], {}],
    ['not for short words', ['cart'], ['card', 'care'], {}],
    [
      'who does it, and what they do',
      ['validat', 'parser'],
      ['validator', 'pars'],
      { validat: ['validator'], parser: ['pars'] },
    ],
  ])('%s', (_name, words, vocabulary, expected) => {
    expect(near(words, vocabulary)).toEqual(expected);
  });
});

test('every synonym group has at least two terms in lower case', async () => {
  const groups = await synonymGroups();
  expect(groups.length).toBeGreaterThan(4_000);
  expect(groups.filter((group) => group.length < 2 || !group.flat().every((word) => /^[a-z0-9]+$/.test(word)))).toEqual(
    [],
  );
});
