/** What is known of how often words come in the lessons: shares (0 to 1) of the most common ones, and how many lessons there are. */
export type TermStatistics = { lessons: number; shares: ReadonlyMap<string, number> };

/** A small library says little of how common a word is: it counts as one of so many lessons. */
const FEWEST_LESSONS = 1_000;

/** In how many of the lessons a word comes, about; those that are not among the most common ones come in fewer than any of these. */
export function lessonsWith(word: string, { lessons, shares }: TermStatistics): number {
  const share = shares.get(word);
  return share === undefined ? lessons * rarestShare(shares) * 0.5 : lessons * share;
}

/** How much a word that stands in so many lessons tells: the inverse document frequency of BM25. */
export function weightOf(withWord: number, lessons: number): number {
  const all = Math.max(lessons, FEWEST_LESSONS, withWord);
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

/** A word of an input, by its stem: how often it comes, and at which places it stands first and last, counted in words from 1. */
export type InputTerm = { word: string; count: number; first: number; last: number };

/** A search asks for no more places in the index, about, than these, and for no more words of either sort. */
const MOST_PLACES = 900;
const MOST_WORDS = 40;
/** What words that the statistics do not know may take of the places: they may stand in no lesson at all. */
const UNKNOWN_SHARE = 2 / 3;
/** However common: so many are asked for all the same. */
const FEWEST_WORDS = 3;
/** Words at the beginning or the end of an input tell more of it: lessons are found by the beginning, and questions stand at the end. */
const EDGE = 30;

/**
 * The words of an input that lessons are searched by: the rarest, as many as can be looked up fast. Of those that the statistics know
 * to be rare and no more, the ones at the edges of the input and the repeated ones come first; of the others, those with the fewest lessons.
 */
export function rarestTerms(words: InputTerm[], statistics: TermStatistics, mostWords: number = MOST_WORDS): string[] {
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
    MOST_PLACES * UNKNOWN_SHARE,
    { fewest: 0, mostWords },
  );
  const known = firstThatFit(weighed.filter(isKnown), MOST_PLACES - unknown.places, {
    fewest: FEWEST_WORDS - unknown.chosen.length,
    mostWords,
  });
  return [...unknown.chosen, ...known.chosen];
}

function firstThatFit(
  words: { word: string; lessons: number }[],
  mostPlaces: number,
  { fewest, mostWords }: { fewest: number; mostWords: number },
) {
  const chosen: string[] = [];
  let places = 0;
  for (const { word, lessons } of words.slice(0, mostWords)) {
    if (places + lessons > mostPlaces && chosen.length >= fewest) break;
    places += lessons;
    chosen.push(word);
  }
  return { chosen, places };
}

/** Most names that are taken from one input, and how much of it is looked through, in characters. */
const MOST_NAMES = 12;
const LOOKED_THROUGH = 20_000;
/** Shorter ones are abbreviations, such as `e.g`. */
const SHORTEST = 5;

/**
 * Names of tools and APIs in a text: hosts, paths of endpoints, and names of several parts such as `fetch_page`, `listOrders` or
 * `orders.list`. Each once, in lower case, at most 12.
 */
export function apiNames(text: string): string[] {
  const found = text.slice(0, LOOKED_THROUGH).match(NAME) ?? [];
  const names = found.flatMap((name) => namesIn(name.replace(/[.,;:!?)\]}'"]+$/, '')));
  return [...new Set(names.map((name) => name.toLowerCase()))]
    .filter((name) => name.length >= SHORTEST)
    .slice(0, MOST_NAMES);
}

/** Whether a text speaks of a name, in lower case, as a whole. */
export function speaksOf(text: string, name: string): boolean {
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
  /https?:\/\/[^\s<>"'`]+|(?<![\w./-])\/[a-z][\w-]*(?:\/[\w{}:-]+)+|\b[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*(?:[._][a-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b/g;

function namesIn(name: string): string[] {
  if (!/^https?:/.test(name)) return [name];
  if (!URL.canParse(name)) return [];
  const { hostname, pathname } = new URL(name);
  return pathname.length > 1 ? [hostname, pathname.replace(/\/$/, '')] : [hostname];
}
