/** Word frequencies in the lessons: the share of lessons (0 to 1) for each of the most common words, and the number of lessons. */
export type TermStatistics = { lessons: number; shares: ReadonlyMap<string, number> };

/** Minimum library size in calculations. A small library is no evidence of how common a word is. */
const MIN_LESSONS = 1_000;

/** Returns the estimated number of lessons that contain a word. Words outside the most common ones get half of the lowest known share. */
export function lessonsWith(word: string, { lessons, shares }: TermStatistics): number {
  const share = shares.get(word);
  return share === undefined ? lessons * rarestShare(shares) * 0.5 : lessons * share;
}

/** Returns the weight of a word contained in `withWord` lessons: the inverse document frequency of BM25. */
export function weightOf(withWord: number, lessons: number): number {
  const all = Math.max(lessons, MIN_LESSONS, withWord);
  return Math.log(1 + (all - withWord + 0.5) / (withWord + 0.5));
}

const rarest = new WeakMap<ReadonlyMap<string, number>, number>();

function rarestShare(shares: ReadonlyMap<string, number>): number {
  const known = rarest.get(shares);
  if (known !== undefined) return known;
  const share = shares.size === 0 ? 0 : Math.min(...shares.values());
  rarest.set(shares, share);
  return share;
}

/** Word of an input, by its stem: its count and its first and last position, in words from 1. */
export type InputTerm = { word: string; count: number; first: number; last: number };

/** Approximate maximum number of index entries per search, and maximum number of words of each kind. */
const MAX_INDEX_ENTRIES = 900;
const MAX_WORDS = 40;
/** Maximum share of the entries for words missing from the statistics, which may be in no lesson. */
const UNKNOWN_SHARE = 2 / 3;
/** Minimum number of words to search for, even if they are common. */
const MIN_WORDS = 3;
/** Number of words at each edge of an input that are more significant. Lessons match the beginning, and questions come at the end. */
const EDGE = 30;

/**
 * Returns the words of an input to search lessons by: the rarest, as many as can be looked up quickly. Words outside the statistics rank by
 * importance: first those at the edges of the input and repeated ones. Other words rank by the fewest lessons.
 */
export function rarestTerms(words: InputTerm[], statistics: TermStatistics, mostWords: number = MAX_WORDS): string[] {
  const end = Math.max(0, ...words.map(({ last }) => last));
  const weighed = words.map((word) => ({
    word: word.word,
    lessons: lessonsWith(word.word, statistics),
    importance: word.count + (word.first <= EDGE || word.last > end - EDGE ? EDGE : 0),
  }));
  weighed.sort((one, other) => one.lessons - other.lessons || other.importance - one.importance);
  const isKnown = ({ word }: { word: string }) => statistics.shares.has(word);
  const unknown = firstThatFit(
    weighed.filter((word) => !isKnown(word)),
    MAX_INDEX_ENTRIES * UNKNOWN_SHARE,
    { fewest: 0, mostWords },
  );
  const known = firstThatFit(weighed.filter(isKnown), MAX_INDEX_ENTRIES - unknown.matches, {
    fewest: MIN_WORDS - unknown.chosen.length,
    mostWords,
  });
  return [...unknown.chosen, ...known.chosen];
}

function firstThatFit(
  words: { word: string; lessons: number }[],
  maxMatches: number,
  { fewest, mostWords }: { fewest: number; mostWords: number },
) {
  const chosen: string[] = [];
  let matches = 0;
  for (const { word, lessons } of words.slice(0, mostWords)) {
    if (matches + lessons > maxMatches && chosen.length >= fewest) break;
    matches += lessons;
    chosen.push(word);
  }
  return { chosen, matches };
}

/** Maximum number of names from one input, and number of its characters that are searched. */
const MAX_NAMES = 12;
const MAX_SCANNED_LENGTH = 20_000;
/** Minimum length of a name. Shorter ones are abbreviations, such as `e.g`. */
const MIN_NAME_LENGTH = 5;

/**
 * Returns names of tools and APIs in a text: hosts, endpoint paths, and names of several parts such as `fetch_page`, `listOrders` or
 * `orders.list`. Each name is returned once, in lower case, at most 12 in total.
 */
export function apiNames(text: string): string[] {
  const found = text.slice(0, MAX_SCANNED_LENGTH).match(NAME) ?? [];
  const names = found.flatMap((name) => namesIn(name.replace(/[.,;:!?)\]}'"]+$/, '')));
  return [...new Set(names.map((name) => name.toLowerCase()))]
    .filter((name) => name.length >= MIN_NAME_LENGTH)
    .slice(0, MAX_NAMES);
}

/** Returns true if a text mentions a name as a whole. `name` is in lower case. */
export function mentionsName(text: string, name: string): boolean {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(name); at !== -1; at = lower.indexOf(name, at + 1)) {
    const before = lower[at - 1] ?? ' ';
    const after = lower[at + name.length] ?? ' ';
    if (!PART.test(before) && !PART.test(after)) return true;
  }
  return false;
}

const PART = /[\p{L}\p{N}_]/u;
const NAME =
  /https?:\/\/[^\s<>"'`]+|(?<![\w./-])\/[a-z][\w-]*(?:\/[\w{}:-]+)+|\b[a-z][a-z0-9]{0,60}(?:[._-][a-z0-9]{1,60}){0,12}(?:[._][a-z0-9]{1,60}){1,12}\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b/g;

function namesIn(name: string): string[] {
  if (!/^https?:/.test(name)) return [name];
  if (!URL.canParse(name)) return [];
  const { hostname, pathname } = new URL(name);
  return pathname.length > 1 ? [hostname, pathname.replace(/\/$/, '')] : [hostname];
}
