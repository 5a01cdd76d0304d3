import { roundTo6 } from '#lib/core/round.ts';
import type { RecallCandidate } from './recall-queries.ts';
import type { RelatedTerm, RelatedTerms } from './related-terms.ts';
import { lessonsWith, type TermStatistics, weightOf } from './terms.ts';

/** A lesson that may match. `similarity`: the cosine of its embedding with the input's, null if there is none. */
export type LessonCandidate = Omit<RecallCandidate, 'foundBy'> & {
  similarity: number | null;
  /** True if it mentions a tool or API that the input names, see `apiNames`. */
  namesApi: boolean;
};

/**
 * Criteria for recalling lessons. `words`: the stems of the input. `near`: words that may replace them. A null task type and an empty tool
 * list are ignored.
 */
export type RecallCriteria = {
  words: ReadonlySet<string>;
  near: RelatedTerms;
  taskType: string | null;
  tools: readonly string[];
};

/** A matching candidate with its score, from 0 to 1. `relevance`: the score by words and meaning alone, 0 if only its scope matches. */
export type RankedLesson = ScoredLesson & { relevance: number };
type ScoredLesson = LessonCandidate & { score: number };

/** Minimum score by words. Measured on questions without a matching lesson: below it, shared words are irrelevant. */
const MIN_WORD_SCORE = 0.3;
/** Minimum score relative to the best lesson, whatever the task type, because few lessons help more than many. */
const MIN_SHARE_OF_BEST_SCORE = 0.5;
/** Minimum word count in the score. An input of one or two words must not match a lesson by a single word. */
const MIN_WORDS = 3;
/** Maximum word count in the score, so that long or merged lessons can match a long input by that many rare words. */
const MAX_WORDS = 40;
/** Cosines of unrelated texts differ between models, so a lesson must also stand out from the others. */
const MIN_SIMILARITY = 0.3;
const MIN_SIMILARITY_ABOVE_MEDIAN = 0.15;
const ALONE_LIKENESS = 0.5;
const MIN_COMPARED_LESSONS = 10;
/**
 * Thresholds for searches with near words. The score is the share of the input, and a lower one is sufficient if at least two words match.
 * A word that no candidate contains counts half, and so does a word for an instruction rather than a topic. Measured on inputs that share
 * no word with their lesson, and on 81 inputs without a lesson.
 */
const MIN_RELATED_WORD_SCORE = 0.2;
const UNMATCHED_WORD_SHARE = 0.5;
const COMMAND_SHARE = 0.5;
const COMMAND_LABELS = new Set(
  'answer avoid best compos creat describ draft explain find get give good handl help keep list make mani mention much need new pleas prepar provid put right run say show state take tell thing time use want way work write'.split(
    ' ',
  ),
);
/** Constant of reciprocal rank fusion, Cormack et al. 2009. */
const FUSION = 60;
/**
 * Adjustments of relevance by the scope of a lesson. Their sum stays below a good relevance, so that a lesson of the same scope does not
 * outrank one that matches the input. Task type counts more than tool, as in the reflection protocol.
 */
const SAME_TASK = 0.2;
const SAME_TOOL = 0.15;
const OTHER_TASK = -0.2;
const OTHER_TOOLS = -0.05;

/**
 * Ranks the matching lessons, best first, by relevance plus scope, then newest first. Relevance, from 0 to 1, is the share of significant
 * words in common, relative to the shorter of input and lesson. Rare words weigh more (as in BM25), near words less. With similarities,
 * both orders are combined by reciprocal rank fusion. A lesson of the same task type gains 0.2, of the same tool or API 0.15. One of
 * another task type loses 0.2, of other tools 0.05. Lessons without relevant words and without the same task type or tool are left out.
 * `compared` contains the similarities of all compared lessons, including those that are not candidates. Source: the reflection protocol,
 * 5: same task type, same tool or API, recency as tie-breaker.
 */
export function rankLessons(
  candidates: LessonCandidate[],
  criteria: RecallCriteria,
  statistics: TermStatistics,
  compared: readonly number[] = [],
): RankedLesson[] {
  const weigh = weigher(candidates, criteria, statistics);
  const isHeld = createWordMatcher(candidates, criteria);
  const ofInput = sumOf(criteria.words, (word) => weigh(word) * (isHeld(word) ? 1 : UNMATCHED_WORD_SHARE));
  const isNear = criteria.near.size > 0;
  const fewest = isNear || criteria.words.size === 1 ? ofInput : MIN_WORDS * weigh('');
  const byWords = candidates.map((lesson) => {
    const ofShorter = Math.min(ofInput, sumOf(lesson.words, weigh), MAX_WORDS * weigh(''));
    const { weight, count } = sharedWords(lesson, criteria, weigh);
    const score = isNear && count < computeMinSharedWords(criteria) ? 0 : weight / Math.max(fewest, ofShorter);
    return { ...lesson, score: roundTo6(Math.min(1, score)) };
  });
  const relevant = candidates.some(({ similarity }) => similarity !== null)
    ? fused(byWords, computeMinSimilarity(compared))
    : alikeByWords(byWords, isNear ? MIN_RELATED_WORD_SCORE : MIN_WORD_SCORE);
  const found = new Set(relevant.map(({ id }) => id));
  const sameScope = byWords.filter((lesson) => !found.has(lesson.id) && isOfScope(lesson, criteria));
  return [
    ...relevant.map((lesson) => ({ ...lesson, relevance: lesson.score })),
    ...sameScope.map((lesson) => ({ ...lesson, relevance: 0, score: Math.min(lesson.score, MIN_WORD_SCORE) })),
  ]
    .map((lesson) => ({ ...lesson, score: lesson.score + scopeShare(lesson, criteria) }))
    .sort(
      (one, other) =>
        hundredths(other.score) - hundredths(one.score) ||
        other.createdAt - one.createdAt ||
        one.id.localeCompare(other.id),
    )
    .map((lesson) => ({ ...lesson, score: roundTo6(Math.min(1, Math.max(0.01, lesson.score))) }));
}

/** Returns the number of words that a lesson shares with the criteria, and their weight. Near words weigh less. */
function sharedWords({ words }: LessonCandidate, criteria: RecallCriteria, weigh: (word: string) => number) {
  const lessonWords = new Set(words);
  const nearWeight = (word: string, { words: parts, share }: RelatedTerm) =>
    parts.every((part) => lessonWords.has(part)) ? share * Math.min(weigh(word), Math.max(...parts.map(weigh))) : 0;
  let weight = 0;
  let count = 0;
  for (const word of criteria.words) {
    const own = lessonWords.has(word)
      ? weigh(word)
      : Math.max(0, ...(criteria.near.get(word) ?? []).map((term) => nearWeight(word, term)));
    weight += own;
    if (own > 0) count++;
  }
  return { weight, count };
}

/**
 * Returns the minimum number of matching words if near words count. A single near word may match by chance, but a short input has no more
 * words.
 */
function computeMinSharedWords({ words }: RecallCriteria): number {
  return words.size <= 2 ? 1 : 2;
}

/** Returns a function that is true if any candidate contains a word or a near word. Always true without near words. */
function createWordMatcher(candidates: LessonCandidate[], criteria: RecallCriteria): (word: string) => boolean {
  if (criteria.near.size === 0) return () => true;
  const candidateWords = new Set(candidates.flatMap(({ words }) => words));
  return (word) =>
    candidateWords.has(word) ||
    (criteria.near.get(word) ?? []).some(({ words }) => words.every((part) => candidateWords.has(part)));
}

/** Returns a function for the weight of a word. Words that are missing in the statistics are counted among the candidates. */
function weigher(
  candidates: LessonCandidate[],
  { words, near }: RecallCriteria,
  statistics: TermStatistics,
): (word: string) => number {
  // With a single word there is nothing else to match.
  const isCommand = (word: string) => near.size > 0 && words.size > 1 && COMMAND_LABELS.has(word);
  const counts = new Map<string, number>();
  for (const { words } of candidates) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weights = new Map<string, number>();
  return (word) => {
    const known = weights.get(word);
    if (known !== undefined) return known;
    const termWeight = weightOf(Math.max(counts.get(word) ?? 0, lessonsWith(word, statistics)), statistics.lessons);
    const weight = isCommand(word) ? termWeight * COMMAND_SHARE : termWeight;
    weights.set(word, weight);
    return weight;
  };
}

function sumOf(words: Iterable<string>, weigh: (word: string) => number): number {
  let sum = 0;
  for (const word of words) sum += weigh(word);
  return sum;
}

/** Combines both orders. A lesson that is first in both has the score 1. */
function fused(byWords: ScoredLesson[], least: number): ScoredLesson[] {
  const words = ranks(alikeByWords(byWords), ({ score }) => score);
  const meaning = ranks(
    byWords.filter(({ similarity }) => (similarity ?? -1) >= least),
    ({ similarity }) => similarity ?? 0,
  );
  const part = (rank: number | undefined) => (rank === undefined ? 0 : (FUSION + 1) / (FUSION + rank) / 2);
  return byWords
    .filter(({ id }) => words.has(id) || meaning.has(id))
    .map((lesson) => ({ ...lesson, score: roundTo6(part(words.get(lesson.id)) + part(meaning.get(lesson.id))) }));
}

function computeMinSimilarity(compared: readonly number[]): number {
  if (compared.length < MIN_COMPARED_LESSONS) return ALONE_LIKENESS;
  const sorted = compared.toSorted((one, other) => one - other);
  return Math.max(MIN_SIMILARITY, (sorted[Math.floor(sorted.length / 2)] ?? 0) + MIN_SIMILARITY_ABOVE_MEDIAN);
}

/** Returns the ranks from 1. Equal lessons share a rank. */
function ranks(lessons: ScoredLesson[], figure: (lesson: ScoredLesson) => number): Map<string, number> {
  const sorted = lessons.toSorted((one, other) => figure(other) - figure(one));
  const found = new Map<string, number>();
  let rank = 0;
  for (const [position, lesson] of sorted.entries()) {
    const before = sorted[position - 1];
    if (before === undefined || figure(before) !== figure(lesson)) rank = position + 1;
    found.set(lesson.id, rank);
  }
  return found;
}

function alikeByWords(lessons: ScoredLesson[], least: number = MIN_WORD_SCORE): ScoredLesson[] {
  const best = Math.max(0, ...lessons.map(({ score }) => score));
  return lessons.filter(({ score }) => score >= Math.max(least, best * MIN_SHARE_OF_BEST_SCORE));
}

function scopeShare(lesson: LessonCandidate, criteria: RecallCriteria): number {
  return TASK_SHARES[taskFit(lesson, criteria)] + TOOL_SHARES[toolFit(lesson, criteria)];
}

const TASK_SHARES = { same: SAME_TASK, any: 0, other: OTHER_TASK };
const TOOL_SHARES = { same: SAME_TOOL, any: 0, other: OTHER_TOOLS };

function isOfScope(lesson: LessonCandidate, criteria: RecallCriteria): boolean {
  return taskFit(lesson, criteria) === 'same' || toolFit(lesson, criteria) === 'same';
}

function taskFit({ taskType }: LessonCandidate, criteria: RecallCriteria): 'same' | 'any' | 'other' {
  if (criteria.taskType === null || taskType === null) return 'any';
  return taskType === criteria.taskType ? 'same' : 'other';
}

function toolFit({ tools, namesApi }: LessonCandidate, criteria: RecallCriteria): 'same' | 'any' | 'other' {
  if (namesApi || tools.some((tool) => criteria.tools.includes(tool))) return 'same';
  return tools.length === 0 ? 'any' : 'other';
}

function hundredths(value: number): number {
  return Math.round(value * 100);
}
