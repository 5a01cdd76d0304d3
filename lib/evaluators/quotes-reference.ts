/** Number of consecutive words that count as a quotation rather than a coincidence. */
const QUOTED_WORDS = 5;
/** Minimum number of letters and digits from which the reference is also matched without regard to word breaks. */
const DISTINCT_LENGTH = 4;

/**
 * Returns true if a text reveals a reference: it contains all of it (ignoring case, articles, punctuation and spaces) or five consecutive
 * words of it. Always false for an empty reference.
 */
export function quotesReference(text: string, reference: string | null): boolean {
  if (reference === null) return false;
  for (const wordsOf of READINGS) {
    const expected = wordsOf(reference);
    if (expected.length > 0) return containsQuote(wordsOf(text), expected);
  }
  return false;
}

/**
 * Tokenizers, tried in order until one returns tokens of the reference. For example, "A" has none without articles, and "≥" has no words.
 */
const READINGS = [withoutArticles, words, symbols];

function containsQuote(said: string[], expected: string[]): boolean {
  const line = ` ${said.join(' ')} `;
  if (line.includes(` ${expected.join(' ')} `)) return true;
  for (let start = 0; start + QUOTED_WORDS <= expected.length; start++) {
    if (line.includes(` ${expected.slice(start, start + QUOTED_WORDS).join(' ')} `)) return true;
  }
  const compact = expected.join('');
  return compact.length >= DISTINCT_LENGTH && said.join('').includes(compact);
}

function withoutArticles(text: string): string[] {
  return words(text).filter((word) => !['a', 'an', 'the'].includes(word));
}

/** Splits at punctuation, so that `island="Zanzibar"` contains the word zanzibar. */
function words(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');
}

function symbols(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
