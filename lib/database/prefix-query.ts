import { cleanText } from './clean-text.ts';

/** More words than this don't narrow a search; they only cost. */
const MOST_WORDS = 20;
/** PostgreSQL refuses words of more than 2,046 bytes. */
const MOST_CHARACTERS = 200;

/**
 * What a person types into a search as a PostgreSQL text query (for `to_tsquery`): all words, each as the beginning of one. Whatever is
 * typed gives a query that can be read; one without letters and digits finds nothing.
 */
export function prefixQuery(typed: string): string {
  return cleanText(typed)
    .split(/\s+/)
    .map((word) => word.replaceAll(/['\\]/g, ' ').slice(0, MOST_CHARACTERS).trim())
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, MOST_WORDS)
    .map((word) => `'${word}':*`)
    .join(' & ');
}
