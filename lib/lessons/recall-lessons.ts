import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { lessonsThatFit } from '#lib/core/lesson-form.ts';
import { namedTaskType, type RecallEffect, type Recalled, type RecalledText } from '#lib/core/lesson-schema.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { recalledSection } from '#lib/core/prompts/recalled-section.ts';
import { roundTo6 } from '#lib/core/round.ts';
import { integerBetween, nameSchema, taskTypeSchema } from '#lib/core/setting-parts.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { NO_SPEND, type Spend } from '#lib/core/token-usage.ts';
import type { Database } from '#lib/database/database.ts';
import { parseInput } from '#lib/input/parse-input.ts';
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
import type { TriedRecall } from './schema.ts';
import { apiNames, mentionsName, rarestTerms } from './terms.ts';

/** Query for lessons. `agent` null: lessons of all agents. A null `taskType` and an empty tool list are ignored. */
export type RecallQuestion = RecallScope &
  Pick<ExperimentSettings['lessons'], 'store' | 'block' | 'topK' | 'tokenBudget' | 'pinned'> & {
    input: string;
    /** Lessons on trial in the run's experiment. Recalled although they are not promoted. */
    onTrial?: readonly string[];
    taskType: string | null;
    tools: string[];
  };

/** Adds candidates found by meaning to those found by words, with similarities by id and the spend. Null if it was aborted. */
export type FindByMeaning = (question: RecallQuestion, byWords: RecallCandidate[]) => Promise<FoundByMeaning | null>;
type FoundByMeaning = { candidates: RecallCandidate[]; similarities: ReadonlyMap<string, number>; spend: Spend };

/**
 * Returns the lessons for a task in prompt order: first pinned lessons that are promoted or on trial, then lessons from the store within
 * the remaining budget. Reads the current state, so retired lessons are excluded. Null if it was aborted.
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
      ? { candidates: byWords, similarities: NO_SIMILARITIES, spend: NO_SPEND }
      : await findByMeaning(question, byWords);
  if (found === null) return null;
  const rank = (more: RecallCandidate[], near: RelatedTerms) => {
    const candidates = [...new Map([...found.candidates, ...byScope, ...more].map((one) => [one.id, one])).values()];
    return rankLessons(
      candidates.map((one) => ({
        ...one,
        taskType: namedTaskType(one.taskType),
        similarity: found.similarities.get(one.id) ?? null,
        namesApi: names.some((name) => mentionsName(one.foundBy, name)),
      })),
      { words: new Set(words.map(({ word }) => word)), near, taskType: scope.taskType, tools: scope.tools },
      statistics,
      [...found.similarities.values()],
    );
  };
  const ranked = rank([], NO_NEAR_WORDS);
  const relevant = ranked.filter(({ relevance }) => relevance >= RELEVANT_ENOUGH);
  const isEnough = relevant.length >= (words.length === 1 ? question.topK : 1);
  if (isEnough || words.length > MAX_INPUT_WORDS_FOR_RELATED_TERMS || found.similarities.size > 0)
    return toRecalled(ranked, found.spend);
  const near = await findRelatedTerms(database, searched);
  if (near.size === 0) return toRecalled(ranked, found.spend);
  const more = await recallCandidates(
    database,
    rarestTerms(toInputTerms(near), statistics, MAX_RELATED_WORDS),
    question,
  );
  return toRecalled(rank(more, near), found.spend);
}

/**
 * If a lesson reaches this relevance by exact words, near words are not searched. A single word is too weak, so it is sufficient only if
 * the wanted number of lessons was found.
 */
const RELEVANT_ENOUGH = 0.6;
/**
 * Maximum length of an input for near words, in words without stop words. Longer inputs are specific enough. Of 61 questions of a published
 * log without a matching lesson, 2 match by exact words, also 2 with near words up to this length, but 12 with near words up to 9.
 */
const MAX_INPUT_WORDS_FOR_RELATED_TERMS = 5;
/** Maximum number of near words, separately for words in the statistics and other words. */
const MAX_RELATED_WORDS = 200;
const NO_NEAR_WORDS: RelatedTerms = new Map();

function toInputTerms(near: RelatedTerms) {
  const words = new Set([...near.values()].flatMap((terms) => terms.flatMap((term) => term.words)));
  return [...words].map((word) => ({ word, count: 1, first: 1, last: 1 }));
}

function toRecalled(ranked: RankedLesson[], spend: Spend): Recalled {
  return { lessons: ranked.map((lesson) => toText(lesson, lesson.score)), spend };
}

const NO_SIMILARITIES: ReadonlyMap<string, number> = new Map();

function toText({ id, kind, text }: Pick<RecallCandidate, 'id' | 'kind' | 'text'>, score: number | null): RecalledText {
  return { id, kind, text, score };
}

/** Score differences up to this value (of 1) count as chance. */
const EFFECT_TOLERANCE = 0.05;

/**
 * Returns the effect of a lesson in a version's prompt from the scores without and with it, from 0 to 1. Null if a score is unknown.
 * Differences are rounded to 6 decimals. A difference equal to the tolerance is neutral.
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

/** Returns the agent whose lessons a run may recall in addition to those for all agents. Null: lessons of every agent. */
export function recalledAgent({ agent, recallAgents }: ExperimentSettings['lessons']): string | null {
  return recallAgents === 'all' ? null : agent;
}

const MAX_INPUT_LENGTH = 200_000;

/** Input, with the scope and the limits of the lessons to recall. Omitted or null parts of the scope are ignored. */
export const tryRecallInputSchema = z.strictObject({
  input: z
    .string({ error: 'must be the text of a case' })
    .max(MAX_INPUT_LENGTH, { error: `must be at most ${MAX_INPUT_LENGTH.toLocaleString('en-US')} characters` }),
  topK: integerBetween(1, 20).default(3),
  tokenBudget: integerBetween(1, 100_000).default(1_500),
  scope: z
    .strictObject({
      agent: nameSchema.nullable().default(null),
      taskType: taskTypeSchema.nullable().default(null),
      tools: z.array(nameSchema).max(50, { error: 'must name at most 50 tools' }).default([]),
    })
    .prefault({}),
});

/**
 * Returns the promoted lessons that a run with this input would recall from the store `recall` without an embedding model, best first, and
 * the resulting part of the prompt. Stores nothing and calls no model.
 */
export async function tryRecall(context: AppContext, _actor: Actor, input: unknown): Promise<Result<TriedRecall>> {
  const parsed = parseInput(tryRecallInputSchema, input);
  if (!parsed.ok) return parsed;
  const { input: text, topK, tokenBudget, scope } = parsed.value;
  const question = { input: text, topK, tokenBudget, ...scope, ...RECALL };
  const recalled = await recallLessons(context.database, question, null);
  const lessons = recalled?.lessons ?? [];
  return succeed({
    lessons: lessons.map(({ score, ...lesson }, position) => ({ ...lesson, rank: position + 1, score: score ?? 0 })),
    tokens: lessonsThatFit(lessons, Number.POSITIVE_INFINITY).tokens,
    promptPart: recalledSection(lessons).join('\n\n'),
  });
}

const RECALL = { store: 'recall' as const, block: '', pinned: [], without: [] };
