import { TECHNICAL_SYNONYMS } from './technical-synonyms.ts';
import { WORDNET_SYNONYMS } from './wordnet-synonyms.ts';

/** Terms that mean about the same; each is one word or several. */
export type SynonymGroup = string[][];

/** All groups of synonyms that lessons are looked for by. */
export function synonymGroups(): SynonymGroup[] {
  return `${TECHNICAL_SYNONYMS}\n${WORDNET_SYNONYMS}`
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ').map((term) => term.split('_')));
}
