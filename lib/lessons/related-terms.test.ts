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
    ['synonyms in both directions', ['spider'], [], { spider: ['crawler', 'scraper'] }],
    ['a term of several words', ['throttle'], [], { throttle: ['rate limit'] }],
    ['a synonym of several words', ['rate', 'limit'], [], { rate: ['throttle'], limit: ['throttle'] }],
    ['nothing for one of several words', ['rate'], [], {}],
    ['a library word with a typo', ['authetic'], ['authentic', 'apple'], { authetic: ['authentic'] }],
    ['nothing if the library contains the word', ['tables'], ['tables', 'tablet'], {}],
    ['nothing for short words', ['cart'], ['card', 'care'], {}],
    [
      'an agent noun and its verb',
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
