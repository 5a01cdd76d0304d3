import { lessonsThatFit } from '#lib/core/lesson-form.ts';
import { namedTaskType, type RecallEffect, type Recalled, type RecalledText } from '#lib/core/lesson-schema.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { roundTo6 } from '#lib/core/text-values.ts';
import { NO_SPEND, type Spend } from '#lib/core/token-usage.ts';
import type { Database } from '#lib/database/database.ts';
import { type RankedLesson, rankLessons } from './rank-lessons.ts';
import {
  blockLessons,
  inputTerms,
  lessonsByIds,
  type RecallCandidate,
  type RecallScope,
  recallCandidates,
  scopeCandidates,
  termStatistics,
} from './recall-queries.ts';
import { findRelatedTerms, type RelatedTerms } from './related-terms.ts';
import { apiNames, rarestTerms, speaksOf } from './terms.ts';

/** What lessons are wanted for. `agent` null: those of all agents; `taskType` null and no tools leave these out of account. */
export type RecallQuestion = RecallScope &
  Pick<ExperimentSettings['lessons'], 'store' | 'block' | 'topK' | 'tokenBudget' | 'pinned'> & {
    input: string;
    /** Lessons that the run's experiment was made to try: given though nobody promoted them. */
    onTrial?: readonly string[];
    taskType: string | null;
    tools: string[];
  };

/** Candidates that were found by words, with those found by meaning, how alike they are (by id), and what that cost; null when it was called off. */
export type FindByMeaning = (question: RecallQuestion, byWords: RecallCandidate[]) => Promise<FoundByMeaning | null>;
type FoundByMeaning = { candidates: RecallCandidate[]; likenesses: ReadonlyMap<string, number>; spend: Spend };

/**
 * The lessons of the library for a task, in the order of the prompt: the pinned ones that are promoted or on trial, then what the store gives
 * within the budget that is left. Read at this moment: what was retired is not among them. Null when it was called off.
 */
export async function recallLessons(
  database: Database,
  question: RecallQuestion,
  findByMeaning: FindByMeaning | null,
): Promise<Recalled | null> {
  const chosen = await lessonsByIds(database, [...new Set(question.pinned)], question.onTrial);
  const pinned = chosen.map((lesson) => toText(lesson, null));
  const left = question.tokenBudget - lessonsThatFit(pinned, Number.POSITIVE_INFINITY).tokens;
  const found = await fromStore(
    database,
    { ...question, without: [...question.without, ...question.pinned] },
    findByMeaning,
  );
  if (found === null) return null;
  const most = question.store === 'recall' ? question.topK : Number.POSITIVE_INFINITY;
  return { lessons: [...pinned, ...lessonsThatFit(found.lessons, left, most).lessons], spend: found.spend };
}

async function fromStore(
  database: Database,
  question: RecallQuestion,
  findByMeaning: FindByMeaning | null,
): Promise<Recalled | null> {
  switch (question.store) {
    case 'none':
      return { lessons: [], spend: NO_SPEND };
    case 'block': {
      const lessons = await blockLessons(database, question.block, question);
      return { lessons: lessons.map((lesson) => toText(lesson, null)), spend: NO_SPEND };
    }
    case 'recall':
      return mostRelevant(database, question, findByMeaning);
  }
}

async function mostRelevant(
  database: Database,
  question: RecallQuestion,
  findByMeaning: FindByMeaning | null,
): Promise<Recalled | null> {
  const [words, statistics] = await Promise.all([inputTerms(database, question.input), termStatistics(database)]);
  const names = apiNames(question.input);
  const scope = {
    taskType: namedTaskType(question.taskType),
    tools: [...new Set([...question.tools, ...names])],
    apiNames: names,
  };
  const searched = rarestTerms(words, statistics);
  const [byWords, byScope] = await Promise.all([
    recallCandidates(database, searched, question),
    scopeCandidates(database, scope, question),
  ]);
  const found =
    findByMeaning === null
      ? { candidates: byWords, likenesses: NO_LIKENESSES, spend: NO_SPEND }
      : await findByMeaning(question, byWords);
  if (found === null) return null;
  const rank = (more: RecallCandidate[], near: RelatedTerms) => {
    const candidates = [...new Map([...found.candidates, ...byScope, ...more].map((one) => [one.id, one])).values()];
    return rankLessons(
      candidates.map((one) => ({
        ...one,
        taskType: namedTaskType(one.taskType),
        likeness: found.likenesses.get(one.id) ?? null,
        namesApi: names.some((name) => speaksOf(one.foundBy, name)),
      })),
      { words: new Set(words.map(({ word }) => word)), near, taskType: scope.taskType, tools: scope.tools },
      statistics,
      [...found.likenesses.values()],
    );
  };
  const ranked = rank([], NO_NEAR_WORDS);
  const relevant = ranked.filter(({ relevance }) => relevance >= RELEVANT_ENOUGH);
  const isEnough = relevant.length >= (words.length === 1 ? question.topK : 1);
  if (isEnough || words.length > LONGEST_NEAR || found.likenesses.size > 0) return toRecalled(ranked, found.spend);
  const near = await findRelatedTerms(database, searched);
  if (near.size === 0) return toRecalled(ranked, found.spend);
  const more = await recallCandidates(database, rarestTerms(asInputLabel(near), statistics, MOST_NEAR), question);
  return toRecalled(rank(more, near), found.spend);
}

/**
 * Where a lesson is as relevant as this by the very words of the input, none are looked for by near words. A single word says too little:
 * it is enough only where there are as many as are wanted.
 */
const RELEVANT_ENOUGH = 0.6;
/**
 * Longer inputs, in words without stop words, say enough of themselves: of 61 questions of a published log that no lesson is about, 2 find
 * one by words alone, as many with near words up to this length, and 12 with near words up to 9.
 */
const LONGEST_NEAR = 5;
/** So many near words are looked for at most, of those that the statistics know and of the others. */
const MOST_NEAR = 200;
const NO_NEAR_WORDS: RelatedTerms = new Map();

function asInputLabel(near: RelatedTerms) {
  const words = new Set([...near.values()].flatMap((terms) => terms.flatMap((term) => term.words)));
  return [...words].map((word) => ({ word, count: 1, first: 1, last: 1 }));
}

function toRecalled(ranked: RankedLesson[], spend: Spend): Recalled {
  return { lessons: ranked.map((lesson) => toText(lesson, lesson.score)), spend };
}

const NO_LIKENESSES: ReadonlyMap<string, number> = new Map();

function toText({ id, kind, text }: Pick<RecallCandidate, 'id' | 'kind' | 'text'>, score: number | null): RecalledText {
  return { id, kind, text, score };
}

/** Scores that differ by no more than this, of 1, differ by chance. */
const EFFECT_TOLERANCE = 0.05;

/**
 * How a lesson in a version's prompt turned out, by the score without it and the score with it, from 0 to 1; null where one of
 * them is not known. Differences are rounded to 6 decimals; one of just the tolerance is neutral.
 */
export function recallEffect({
  before,
  after,
  tolerance = EFFECT_TOLERANCE,
}: {
  before: number | null;
  after: number | null;
  tolerance?: number;
}): RecallEffect | null {
  if (before === null || after === null) return null;
  const gain = roundTo6(after - before);
  if (gain > tolerance) return 'helpful';
  return gain < -tolerance ? 'harmful' : 'neutral';
}

/** The agent whose lessons a run may be given besides those for all agents; null: those of every agent. */
export function recalledAgent({ agent, recallAgents }: ExperimentSettings['lessons']): string | null {
  return recallAgents === 'all' ? null : agent;
}
