import { distance } from 'fastest-levenshtein';
import type { Database } from '#lib/database/database.ts';
import { promotedWords, termStatistics, wordStems } from './recall-queries.ts';

/** Stems that together in a lesson can replace a word of an input. `share` is the fraction of that word's weight, 0 to 1. */
export type RelatedTerm = { words: string[]; share: number };
/** Related terms of each word of an input, by the word's stem. */
export type RelatedTerms = ReadonlyMap<string, readonly RelatedTerm[]>;

/** Terms with about the same meaning, each of one or more words. */
type SynonymGroup = string[][];

/** The synonyms of a term. */
type Synonyms = { term: string[]; others: string[][] };
/** Synonyms by each stem of their term. */
type SynonymIndex = ReadonlyMap<string, readonly Synonyms[]>;

/** A synonym or a similarly spelled word is weaker evidence than the word itself. */
const SYNONYM_SHARE = 0.6;
const ALIKE_SHARE = 0.7;
/** Shorter words have too many similarly spelled words. */
const MIN_SIMILAR_WORD_LENGTH = 5;
const MIN_TWO_TYPO_WORD_LENGTH = 8;
/** Agent suffixes that an English stemmer keeps: scraper, validator. */
const AGENT_ENDINGS = ['er', 'or', 'r'];

/** Indexes groups by the stems of their words. `stemOf` returns null for words that are not searched. */
export function indexSynonyms(groups: readonly SynonymGroup[], stemOf: (word: string) => string | null): SynonymIndex {
  const index = new Map<string, Synonyms[]>();
  for (const synonyms of groups.flatMap((group) => synonymsIn(group, stemOf)))
    for (const word of synonyms.term) index.set(word, [...(index.get(word) ?? []), synonyms]);
  return index;
}

function synonymsIn(group: SynonymGroup, stemOf: (word: string) => string | null): Synonyms[] {
  const terms = group
    .map((term) => term.map(stemOf))
    .filter((term): term is string[] => term.every((word) => word !== null));
  return terms
    .map((term) => ({ term, others: terms.filter((other) => other.join(' ') !== term.join(' ')) }))
    .filter(({ others }) => others.length > 0);
}

/**
 * Returns alternative terms for the words of an input: synonyms, and similarly spelled words if lessons lack the word itself. `vocabulary`
 * contains the stems of the lessons.
 */
export function relatedTerms(
  words: ReadonlySet<string>,
  synonyms: SynonymIndex,
  vocabulary: ReadonlySet<string>,
): RelatedTerms {
  const near = new Map<string, RelatedTerm[]>();
  for (const word of words) {
    const sameMeaning = (synonyms.get(word) ?? [])
      .filter(({ term }) => term.every((part) => words.has(part)))
      .flatMap(({ others }) => others.map((other): RelatedTerm => ({ words: other, share: SYNONYM_SHARE })));
    const alike = [
      ...agentForms(word).filter((other) => vocabulary.has(other)),
      ...(vocabulary.has(word) ? [] : findSimilarSpellings(word, vocabulary)),
    ].map((other): RelatedTerm => ({ words: [other], share: ALIKE_SHARE }));
    const terms = new Map([...sameMeaning, ...alike].map((term) => [term.words.join(' '), term]));
    if (terms.size > 0) near.set(word, [...terms.values()]);
  }
  return near;
}

function agentForms(word: string): string[] {
  if (word.length < MIN_SIMILAR_WORD_LENGTH - 1) return [];
  const without = AGENT_ENDINGS.filter((end) => word.endsWith(end) && word.length - end.length >= 4);
  return [
    ...AGENT_ENDINGS.map((end) => `${word}${end}`),
    ...without.flatMap((end) => [word.slice(0, -end.length), `${word.slice(0, -end.length)}e`]),
  ].filter((other) => other !== word);
}

/** Returns words one typing mistake away, or two for long words. Assumes that the first letter is right because mistakes there are rare. */
function findSimilarSpellings(word: string, vocabulary: ReadonlySet<string>): string[] {
  if (word.length < MIN_SIMILAR_WORD_LENGTH || !/^\p{L}+$/u.test(word)) return [];
  const most = word.length >= MIN_TWO_TYPO_WORD_LENGTH ? 2 : 1;
  const found: string[] = [];
  for (const other of vocabulary)
    if (
      other[0] === word[0] &&
      other.length >= MIN_SIMILAR_WORD_LENGTH &&
      Math.abs(other.length - word.length) <= most &&
      distance(word, other) <= most
    )
      found.push(other);
  return found;
}

/**
 * Cache time of a vocabulary, as a multiple of its load time, and its maximum. Loading therefore takes at most about 1/`REST` of the time.
 */
const CACHE_TIME_FACTOR = 50;
const MAX_VOCABULARY_CACHE_MS = 60_000;
/** For larger libraries, only the most common words are read because reading all takes too long. */
const MAX_VOCABULARY_LESSONS = 5_000;

type Known = { until: number; answer: Promise<ReadonlySet<string>> };
const known = new WeakMap<Database, Known>();

/**
 * Returns the stems of promoted lessons, at most a minute old. For libraries of more than 5,000 lessons, returns up to 4,000 of the most
 * common stems.
 */
function lessonVocabulary(database: Database): Promise<ReadonlySet<string>> {
  const startedAt = performance.now();
  const last = known.get(database);
  if (last !== undefined && startedAt < last.until) return last.answer;
  const entry: Known = { until: Number.POSITIVE_INFINITY, answer: readVocabulary(database) };
  known.set(database, entry);
  entry.answer.then(
    () => {
      const now = performance.now();
      entry.until = now + Math.min(MAX_VOCABULARY_CACHE_MS, (now - startedAt) * CACHE_TIME_FACTOR);
    },
    () => known.delete(database),
  );
  return entry.answer;
}

async function readVocabulary(database: Database): Promise<ReadonlySet<string>> {
  const count = await database.prisma.lesson.count({ where: { status: 'promoted' }, take: MAX_VOCABULARY_LESSONS + 1 });
  return count > MAX_VOCABULARY_LESSONS
    ? new Set((await termStatistics(database)).shares.keys())
    : promotedWords(database);
}

let synonyms: Promise<SynonymIndex> | null = null;

/** Returns related terms for the words of an input, by stem: see `relatedTerms`. Calls no model. */
export async function findRelatedTerms(database: Database, words: string[]): Promise<RelatedTerms> {
  synonyms ??= readSynonyms(database).catch((error: unknown) => {
    synonyms = null;
    throw error;
  });
  const [index, vocabulary] = await Promise.all([synonyms, lessonVocabulary(database)]);
  return relatedTerms(new Set(words), index, vocabulary);
}

/** Returns all synonym groups used to search lessons. The first recall that needs the lists loads them. */
export async function synonymGroups(): Promise<SynonymGroup[]> {
  const [technical, wordnet] = await Promise.all([
    import('./synonyms/technical-synonyms.json', { with: { type: 'json' } }),
    import('./synonyms/wordnet-synonyms.json', { with: { type: 'json' } }),
  ]);
  const groups = [...technical.default.groups, ...wordnet.default.groups];
  return groups.map((line) => line.split(' ').map((term) => term.split('_')));
}

/** Stems are the same in every database, so they are queried once per process. */
async function readSynonyms(database: Database): Promise<SynonymIndex> {
  const groups = await synonymGroups();
  const stems = await wordStems(database, [...new Set(groups.flat(2))]);
  return indexSynonyms(groups, (word) => stems.get(word) ?? null);
}
