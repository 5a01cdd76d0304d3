import type { Database } from '#lib/db/database.ts';
import { inputWords } from '#lib/db/input-words.ts';
import {
  blockLessons,
  lessonsByIds,
  type RecallCandidate,
  type RecallScope,
  recallCandidates,
} from '#lib/db/recall-candidates.ts';
import { wordStatistics } from '#lib/db/word-statistics.ts';
import { rankLessons } from '#lib/lessons/rank-lessons.ts';
import { rarestWords } from '#lib/lessons/rarest-words.ts';
import { NO_SPEND, type Spend } from '#lib/reflection/history.ts';
import { lessonsThatFit } from '#lib/reflection/lessons-that-fit.ts';
import type { Recalled, RecalledText } from '#lib/reflection/recalled-text.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';

/** What lessons are wanted for. `agent` null: those of all agents; `taskType` null and no tools leave these out of account. */
export type RecallQuestion = RecallScope &
  Pick<ExperimentSettings['lessons'], 'store' | 'block' | 'topK' | 'tokenBudget' | 'pinned'> & {
    input: string;
    taskType: string | null;
    tools: string[];
  };

/** Candidates that were found by words, with those found by meaning, how alike they are (by id), and what that cost; null when it was called off. */
export type FindByMeaning = (question: RecallQuestion, byWords: RecallCandidate[]) => Promise<FoundByMeaning | null>;
export type FoundByMeaning = { candidates: RecallCandidate[]; likenesses: ReadonlyMap<string, number>; spend: Spend };

/**
 * The lessons of the library for a task, in the order of the prompt: the pinned ones, whatever their status, then what the store
 * gives within the budget that is left. Read at this moment: what was retired is not among them. Null when it was called off.
 */
export async function recallLessons(
  database: Database,
  question: RecallQuestion,
  findByMeaning: FindByMeaning | null,
): Promise<Recalled | null> {
  const pinned = (await lessonsByIds(database, [...new Set(question.pinned)])).map((lesson) => toText(lesson, null));
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
  const [words, statistics] = await Promise.all([inputWords(database, question.input), wordStatistics(database)]);
  const byWords = await recallCandidates(database, rarestWords(words, statistics), question);
  const found =
    findByMeaning === null
      ? { candidates: byWords, likenesses: NO_LIKENESSES, spend: NO_SPEND }
      : await findByMeaning(question, byWords);
  if (found === null) return null;
  const candidates = found.candidates.map((one) => ({ ...one, likeness: found.likenesses.get(one.id) ?? null }));
  const wish = { words: new Set(words.map(({ word }) => word)), taskType: question.taskType, tools: question.tools };
  const ranked = rankLessons(candidates, wish, statistics, [...found.likenesses.values()]);
  return { lessons: ranked.map((lesson) => toText(lesson, lesson.score)), spend: found.spend };
}

const NO_LIKENESSES: ReadonlyMap<string, number> = new Map();

function toText({ id, kind, text }: Pick<RecallCandidate, 'id' | 'kind' | 'text'>, score: number | null): RecalledText {
  return { id, kind, text, score };
}
