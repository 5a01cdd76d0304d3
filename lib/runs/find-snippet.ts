/** A piece of a text around what was looked for: `marks` are places in it, from and to, where the words begin. */
export type Snippet = { text: string; marks: [from: number, to: number][]; found: number };

/** Characters before the first word that was found, and of the whole piece. */
const BEFORE = 60;
const LENGTH = 240;

/** The words of what a person typed, as they are looked for: lower case, without signs between them, each once. */
export function searchTerms(typed: string): string[] {
  return [...new Set(typed.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
}

/**
 * The piece of a text that holds most of the words (`searchTerms`), each as the beginning of a word, whatever its case; of several such
 * the first. `found` counts the different words in it. Null where none of them stands in the text.
 */
export function findSnippet(text: string, words: readonly string[]): Snippet | null {
  const hits = hitsIn(text, words);
  let best: { from: number; found: number } | null = null;
  for (const [at, hit] of hits.entries()) {
    const end = hit.from - BEFORE + LENGTH;
    const inside = new Set<string>();
    for (let next = at; next < hits.length; next++) {
      const other = hits[next];
      if (other === undefined || other.to > end) break;
      inside.add(other.word);
    }
    if (inside.size > (best?.found ?? 0)) best = { from: hit.from, found: inside.size };
    if (best?.found === words.length) break;
  }
  if (best === null) return null;
  const from = Math.max(0, best.from - BEFORE);
  const to = Math.min(text.length, from + LENGTH);
  const lead = from > 0 ? '… ' : '';
  const marks = hits.flatMap((hit): Snippet['marks'] =>
    hit.from >= from && hit.to <= to ? [[hit.from - from + lead.length, hit.to - from + lead.length]] : [],
  );
  return {
    text: `${lead}${text.slice(from, to).toWellFormed()}${to < text.length ? ' …' : ''}`,
    marks,
    found: best.found,
  };
}

/** More hits than these don't show a better piece. */
const MOST_HITS = 2_000;

function hitsIn(text: string, words: readonly string[]): { from: number; to: number; word: string }[] {
  if (words.length === 0) return [];
  const longestFirst = [...words].sort((one, other) => other.length - one.length);
  // Words hold letters and digits only, so nothing in them has a meaning in a pattern.
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.join('|')})`, 'giu');
  const hits: { from: number; to: number; word: string }[] = [];
  for (const match of text.matchAll(pattern)) {
    hits.push({ from: match.index, to: match.index + match[0].length, word: match[0].toLowerCase() });
    if (hits.length === MOST_HITS) break;
  }
  return hits;
}
