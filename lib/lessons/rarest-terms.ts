import { lessonsWith, type TermStatistics } from './term-weights.ts';

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
