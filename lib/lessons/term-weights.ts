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
