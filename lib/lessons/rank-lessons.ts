import type { LessonKind } from '#lib/reflection/lesson-kinds.ts';
import { roundTo6 } from '#lib/reflection/round.ts';
import { lessonsWith, type WordStatistics, weightOf } from './term-weights.ts';

/** A lesson that may fit. `words`: the stems it is found by; `likeness`: the cosine of its meaning with the input's, null without one. */
export type LessonCandidate = {
  id: string;
  kind: LessonKind;
  text: string;
  taskType: string | null;
  tools: string[];
  /** Milliseconds since 1970. */
  createdAt: number;
  words: string[];
  likeness: number | null;
};

/** What lessons are wanted for. `words`: the stems of the input; a task type of null and no tools leave these out of account. */
export type RecallWish = { words: ReadonlySet<string>; taskType: string | null; tools: readonly string[] };

/** A candidate that fits, and how well, from 0 to 1. */
export type RankedLesson = LessonCandidate & { score: number };

/** What is less alike by words shares nothing that matters: measured on questions that have no lessons. */
const LEAST_SCORE = 0.3;
/** What fits not half as well as the best is left out, whatever its type of task: few lessons help more than many. */
const LEAST_OF_BEST = 0.5;
/** An input of a word or two is not like a lesson by one word. */
const FEWEST_WORDS = 3;
/** A long lesson, or one that speaks for many, is like a long input by so many rare words as by all. */
const MOST_WORDS = 40;
/** Cosines of texts that have nothing to do with each other differ from model to model: what counts is how far one stands out. */
const LEAST_LIKENESS = 0.3;
const STANDS_OUT = 0.15;
const ALONE_LIKENESS = 0.5;
const FEWEST_COMPARED = 10;
/** Reciprocal rank fusion, Cormack et al. 2009. */
const FUSION = 60;

/**
 * The lessons that fit a wish, the best first: those of its type of task before others, then those of its tools, then by relevance,
 * then the newest. Relevance is the share of telling words in common, of the shorter of input and lesson, rare words weighing more
 * (as in BM25); with likenesses, the two orders are fused by reciprocal rank. Lessons that share nothing that matters are left out:
 * `compared` holds the likenesses of all lessons that were compared, also of those that are no candidates.
 */
export function rankLessons(
  candidates: LessonCandidate[],
  wish: RecallWish,
  statistics: WordStatistics,
  compared: readonly number[] = [],
): RankedLesson[] {
  const weigh = weigher(candidates, statistics);
  const ofInput = sumOf(wish.words, weigh);
  const byWords = candidates.map((lesson) => {
    const shared = lesson.words.filter((word) => wish.words.has(word));
    const ofShorter = Math.min(ofInput, sumOf(lesson.words, weigh), MOST_WORDS * weigh(''));
    const score = sumOf(shared, weigh) / Math.max(FEWEST_WORDS * weigh(''), ofShorter);
    return { ...lesson, score: roundTo6(Math.min(1, score)) };
  });
  const fitting = candidates.some(({ likeness }) => likeness !== null)
    ? fused(byWords, leastLikeness(compared))
    : alikeByWords(byWords);
  return fitting.sort(
    (one, other) =>
      fitsTask(other, wish) - fitsTask(one, wish) ||
      fitsTools(other, wish) - fitsTools(one, wish) ||
      hundredths(other.score) - hundredths(one.score) ||
      other.createdAt - one.createdAt ||
      one.id.localeCompare(other.id),
  );
}

/** How much a word tells; what the statistics do not know yet is counted among the candidates. */
function weigher(candidates: LessonCandidate[], statistics: WordStatistics): (word: string) => number {
  const counts = new Map<string, number>();
  for (const { words } of candidates) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weights = new Map<string, number>();
  return (word) => {
    const known = weights.get(word);
    if (known !== undefined) return known;
    const weight = weightOf(Math.max(counts.get(word) ?? 0, lessonsWith(word, statistics)), statistics.lessons);
    weights.set(word, weight);
    return weight;
  };
}

function sumOf(words: Iterable<string>, weigh: (word: string) => number): number {
  let sum = 0;
  for (const word of words) sum += weigh(word);
  return sum;
}

/** Both orders in one; the first of both has the score 1. */
function fused(byWords: RankedLesson[], least: number): RankedLesson[] {
  const words = places(alikeByWords(byWords), ({ score }) => score);
  const meaning = places(
    byWords.filter(({ likeness }) => (likeness ?? -1) >= least),
    ({ likeness }) => likeness ?? 0,
  );
  const part = (place: number | undefined) => (place === undefined ? 0 : (FUSION + 1) / (FUSION + place) / 2);
  return byWords
    .filter(({ id }) => words.has(id) || meaning.has(id))
    .map((lesson) => ({ ...lesson, score: roundTo6(part(words.get(lesson.id)) + part(meaning.get(lesson.id))) }));
}

function leastLikeness(compared: readonly number[]): number {
  if (compared.length < FEWEST_COMPARED) return ALONE_LIKENESS;
  const sorted = compared.toSorted((one, other) => one - other);
  return Math.max(LEAST_LIKENESS, (sorted[Math.floor(sorted.length / 2)] ?? 0) + STANDS_OUT);
}

/** Places from 1; equals share one. */
function places(lessons: RankedLesson[], figure: (lesson: RankedLesson) => number): Map<string, number> {
  const sorted = lessons.toSorted((one, other) => figure(other) - figure(one));
  const found = new Map<string, number>();
  let place = 0;
  for (const [position, lesson] of sorted.entries()) {
    const before = sorted[position - 1];
    if (before === undefined || figure(before) !== figure(lesson)) place = position + 1;
    found.set(lesson.id, place);
  }
  return found;
}

function alikeByWords(lessons: RankedLesson[]): RankedLesson[] {
  const best = Math.max(0, ...lessons.map(({ score }) => score));
  return lessons.filter(({ score }) => score >= Math.max(LEAST_SCORE, best * LEAST_OF_BEST));
}

function fitsTask({ taskType }: RankedLesson, wish: RecallWish): number {
  return wish.taskType === null || taskType === null || taskType === wish.taskType ? 1 : 0;
}

/** 2: for a tool that is at hand; 1: for none in particular; 0: for tools that are not. */
function fitsTools({ tools }: RankedLesson, wish: RecallWish): number {
  if (tools.length === 0) return 1;
  return tools.some((tool) => wish.tools.includes(tool)) ? 2 : 0;
}

function hundredths(value: number): number {
  return Math.round(value * 100);
}
