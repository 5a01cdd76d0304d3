/** So many of a text's rarest words are looked for. */
const MOST_WORDS = 6;
/** Of those a text that says the same must have this share: it may put some of them otherwise. */
const SHARE = 0.6;

/**
 * A PostgreSQL text query that texts which nearly repeat this one meet: most of its rarest words, whichever. `lexemes` are the words of
 * the text as PostgreSQL's search keeps them, `shares` how many lessons (0 to 1) hold each of the common ones; of the others the longest
 * count as the rarest. Empty for a text without words.
 */
export function repeatQuery(lexemes: readonly string[], shares: ReadonlyMap<string, number>): string {
  const words = lexemes
    .toSorted(
      (one, other) =>
        (shares.get(one) ?? 0) - (shares.get(other) ?? 0) || other.length - one.length || (one < other ? -1 : 1),
    )
    .slice(0, MOST_WORDS);
  if (words.length === 0) return '';
  return choices(words, Math.ceil(words.length * SHARE))
    .map((choice) => `(${choice.map(quoted).join(' & ')})`)
    .join(' | ');
}

function quoted(word: string): string {
  return `'${word.replaceAll(/['\\]/g, '\\$&')}'`;
}

/** All ways to take so many of a list. */
function choices(words: readonly string[], count: number): string[][] {
  if (count === 0) return [[]];
  return words.flatMap((word, position) =>
    choices(words.slice(position + 1), count - 1).map((choice) => [word, ...choice]),
  );
}
