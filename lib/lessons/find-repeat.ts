/** A lesson with the same meaning or about the same subject, and the similarity of the two, from 0 to 1. */
type Repeat = { id: string; similarity: number };

/**
 * Minimum similarity of repeats: of two long texts, about one word in twenty differs. With a lower value, similarly worded advice would
 * count as equal ("give the surname", "give the title").
 */
export const REPEAT_SIMILARITY = 0.9;

/**
 * Finds the lesson that repeats a text in nearly the same words: the most similar one at or above `REPEAT_SIMILARITY`, the first if equal.
 * Null if there is none.
 * Similarity is the mean of the Jaccard index of words and of pairs of adjacent words, ignoring case and inflection. Texts that differ in a
 * negation, a number or a quoted name are never repeats: "always" and "never", "use 3" and "use 5".
 */
export function findRepeat(text: string, others: readonly { id: string; text: string }[]): Repeat | null {
  const gist = gistOf(text);
  return mostSimilar(others, (other) => similarityOf(gist, gistOf(other)));
}

/**
 * Finds the lesson that may say the opposite: the most similar one in nearly the same words, if one of the two texts is negated and the
 * other is not, such as "always answer" and "never answer", or "before" and "after". Numbers and quoted names must be equal. Opposites in
 * other words are not found. Null if there is none.
 */
export function findOpposite(text: string, others: readonly { id: string; text: string }[]): Repeat | null {
  const { subject, isNegated } = gistOf(text);
  return mostSimilar(others, (other) => {
    const gist = gistOf(other);
    return gist.isNegated === isNegated ? 0 : similarityOf(subject, gist.subject);
  });
}

function mostSimilar(
  others: readonly { id: string; text: string }[],
  similarityTo: (text: string) => number,
): Repeat | null {
  let best: Repeat | null = null;
  for (const { id, text } of others) {
    const similarity = similarityTo(text);
    if (similarity >= REPEAT_SIMILARITY && similarity > (best?.similarity ?? 0)) best = { id, similarity };
  }
  return best;
}

type Words = { words: Set<string>; pairs: Set<string>; stance: string };
/** `subject` leaves out negations. `isNegated`: true if their number is odd. */
type Gist = Words & { subject: Words; isNegated: boolean };

function similarityOf(one: Words, other: Words): number {
  if (one.stance !== other.stance) return 0;
  const most = Math.min(one.words.size, other.words.size) / Math.max(one.words.size, other.words.size);
  // The words alone already differ too much to reach the minimum.
  if (most < 2 * REPEAT_SIMILARITY - 1) return 0;
  return (shared(one.words, other.words) + shared(one.pairs, other.pairs)) / 2;
}

function shared(one: Set<string>, other: Set<string>): number {
  let both = 0;
  for (const word of one) if (other.has(word)) both++;
  const all = one.size + other.size - both;
  return all === 0 ? 1 : both / all;
}

const known = new Map<string, Gist>();
const MAX_CACHED_GISTS = 5_000;

function gistOf(text: string): Gist {
  const before = known.get(text);
  if (before !== undefined) return before;
  const tokens =
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}]+(?:'[\p{L}]+)?/gu) ?? [];
  const words = tokens.map(stemOf);
  const quoted = quotedIn(text);
  // Includes the two following words, so that "not the title" differs from "not the name".
  const decisive = tokens.flatMap((token, at) => (isDecisive(token) ? [words.slice(at, at + 3).join(' ')] : []));
  const affirmed = tokens.flatMap((token) => (isNegation(token) ? (OPPOSITES.get(token) ?? []) : token));
  const subject = affirmed.filter((token) => !AFFIRMATIONS.has(token));
  const gist: Gist = {
    ...wordsOf(words, [...decisive, ...quoted]),
    subject: wordsOf(subject.map(stemOf), [...subject.filter((token) => /^\p{N}/u.test(token)), ...quoted]),
    isNegated: tokens.filter(isNegation).length % 2 === 1,
  };
  if (known.size >= MAX_CACHED_GISTS) known.clear();
  known.set(text, gist);
  return gist;
}

function wordsOf(words: readonly string[], stance: readonly string[]): Words {
  return {
    words: new Set(words),
    pairs: new Set(words.map((word, index) => `${words[index - 1] ?? ''} ${word}`)),
    stance: stance.toSorted().join('; '),
  };
}

/** Words that say the opposite of another one. */
const OPPOSITES = new Map(
  Object.entries({
    without: 'with',
    exclude: 'include',
    remove: 'add',
    disable: 'enable',
    decrease: 'increase',
    lower: 'raise',
    false: 'true',
    after: 'before',
    last: 'first',
    least: 'most',
    less: 'more',
    fewer: 'more',
  }),
);
const NEGATIONS = new Set('no not never none nothing neither nor avoid cannot'.split(' '));
/** Words without meaning next to a negation: "always answer" and "do answer" are the opposite of "never answer". */
const AFFIRMATIONS = new Set('always do must should please'.split(' '));

function isNegation(word: string): boolean {
  return NEGATIONS.has(word) || OPPOSITES.has(word) || word.endsWith("n't");
}

/** Returns true for negations and similar words that change the meaning, and for numbers. */
function isDecisive(word: string): boolean {
  return DECISIVE.has(word) || word.endsWith("n't") || /^\p{N}/u.test(word);
}

const DECISIVE = new Set(
  'no not never none nothing neither nor without avoid instead rather than cannot always only must first last before after more less fewer least most increase decrease raise lower add remove include exclude enable disable true false'.split(
    ' ',
  ),
);

function quotedIn(text: string): string[] {
  return Array.from(text.matchAll(/["“`]([^"“”`\n]{1,80})["”`]/g), ([, name = '']) => name.trim().toLowerCase());
}

/** Removes the English ending of a word, so that "checks" and "checking" are equal. */
function stemOf(word: string): string {
  if (word.length < 5 || /^\p{N}/u.test(word)) return word;
  return word.replace(/(?:'s|ing|ed|es|s|e)$/, '');
}

/** Number of a text's rarest words to search for. */
const MAX_QUERY_WORDS = 6;
/** Share of these words that a repeat must contain. It may phrase some of them differently. */
const SHARE = 0.6;

/**
 * Returns a PostgreSQL text query that matches likely repeats of a text: those with most of its rarest words, in any combination. `lexemes`
 * are the text's words in PostgreSQL's form. `shares` is the share of lessons (0 to 1) with each common word. Of the other words, the
 * longest count as the rarest. Empty for a text without words.
 */
export function repeatQuery(lexemes: readonly string[], shares: ReadonlyMap<string, number>): string {
  const words = lexemes
    .toSorted(
      (one, other) =>
        (shares.get(one) ?? 0) - (shares.get(other) ?? 0) || other.length - one.length || (one < other ? -1 : 1),
    )
    .slice(0, MAX_QUERY_WORDS);
  if (words.length === 0) return '';
  return choices(words, Math.ceil(words.length * SHARE))
    .map((choice) => `(${choice.map(quoted).join(' & ')})`)
    .join(' | ');
}

function quoted(word: string): string {
  return `'${word.replaceAll(/['\\]/g, '\\$&')}'`;
}

/** Returns all combinations of `count` items of a list. */
function choices(words: readonly string[], count: number): string[][] {
  if (count === 0) return [[]];
  return words.flatMap((word, position) =>
    choices(words.slice(position + 1), count - 1).map((choice) => [word, ...choice]),
  );
}
