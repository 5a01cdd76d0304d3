import type { Database } from '#lib/database/database.ts';
import { wordStems } from '#lib/database/word-stems.ts';
import { synonymGroups } from '#lib/lessons/synonyms/synonym-groups.ts';
import { lessonVocabulary } from './lesson-vocabulary.ts';
import { indexSynonyms, type RelatedTerms, relatedTerms, type SynonymIndex } from './related-terms.ts';

let synonyms: Promise<SynonymIndex> | null = null;

/** What lessons may call the words of an input instead, by their stems: see `relatedTerms`. No model is asked. */
export async function findRelatedTerms(database: Database, words: string[]): Promise<RelatedTerms> {
  synonyms ??= readSynonyms(database).catch((error: unknown) => {
    synonyms = null;
    throw error;
  });
  const [index, vocabulary] = await Promise.all([synonyms, lessonVocabulary(database)]);
  return relatedTerms(new Set(words), index, vocabulary);
}

/** Stems are the same in every database: they are asked for once in a process. */
async function readSynonyms(database: Database): Promise<SynonymIndex> {
  const groups = synonymGroups();
  const stems = await wordStems(database, [...new Set(groups.flat(2))]);
  return indexSynonyms(groups, (word) => stems.get(word) ?? null);
}
