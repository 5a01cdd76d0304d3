import { lessonsWith, type WordStatistics } from './term-weights.ts';

/** A word of an input, by its stem: how often it comes, and at which places it stands first and last, counted in words from 1. */
export type InputWord = { word: string; count: number; first: number; last: number };

/** A search asks for no more words, and for no more places in the index, about, than these. */
const MOST_WORDS = 64;
const MOST_PLACES = 1_200;
/** However common: so many are asked for all the same. */
const FEWEST_WORDS = 3;
/** Words at the beginning or the end of an input tell more of it: lessons are found by the beginning, and questions stand at the end. */
const EDGE = 30;

/**
 * The words of an input that lessons are searched by: the rarest, as many as can be looked up fast. A long input has many words
 * that the statistics know to be rare and no more: of these, the ones at its edges and the repeated ones come first.
 */
export function rarestWords(words: InputWord[], statistics: WordStatistics): string[] {
  const end = Math.max(0, ...words.map(({ last }) => last));
  const weighed = words.map((word) => ({ ...word, lessons: lessonsWith(word.word, statistics) }));
  const importance = ({ count, first, last }: InputWord) => count + (first <= EDGE || last > end - EDGE ? EDGE : 0);
  weighed.sort((one, other) => one.lessons - other.lessons || importance(other) - importance(one));
  const chosen: string[] = [];
  let places = 0;
  for (const { word, lessons } of weighed) {
    places += lessons;
    if (chosen.length >= MOST_WORDS || (places > MOST_PLACES && chosen.length >= FEWEST_WORDS)) break;
    chosen.push(word);
  }
  return chosen;
}
