/** So many words in a row are a quotation, not chance. */
const QUOTED_WORDS = 5;
/** From so many letters and digits on, the reference is found also where it is written together or apart. */
const DISTINCT_LENGTH = 4;

/**
 * Whether a text gives a reference away: it holds all of it, whatever the case, articles, punctuation and spaces, or five
 * words of it in a row. An empty reference is never given away.
 */
export function quotesReference(text: string, reference: string | null): boolean {
  if (reference === null) return false;
  for (const wordsOf of READINGS) {
    const expected = wordsOf(reference);
    if (expected.length > 0) return holds(wordsOf(text), expected);
  }
  return false;
}

/** The first reading that leaves something of the reference is used: "A" or "≥" is nothing to the ones before. */
const READINGS = [withoutArticles, words, symbols];

function holds(said: string[], expected: string[]): boolean {
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

/** Punctuation parts words: `island="Zanzibar"` holds the word zanzibar. */
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
