import { distance } from 'fastest-levenshtein';

/** Pairs of characters that are looked at at most: half a second of work. */
const MOST_PAIRS = 1_000_000_000;

/**
 * How alike two texts are, 0 to 1: 1 − Levenshtein distance / length of the longer one, in UTF-16 units; two empty texts are
 * alike. Null where the texts are too long to be compared in good time. Source: Levenshtein 1966; bit-parallel by Myers 1999.
 */
export function editLikeness(one: string, other: string): number | null {
  const longer = Math.max(one.length, other.length);
  if (longer === 0 || one === other) return 1;
  if (one.length * other.length > MOST_PAIRS) return null;
  return 1 - distance(one, other) / longer;
}
