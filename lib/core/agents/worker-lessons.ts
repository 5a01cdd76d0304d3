import { lessonsThatFit, type StepLessons } from '#lib/core/lesson-form.ts';
import type { RecalledText } from '#lib/core/lesson-schema.ts';
import type { WrittenLesson } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import type { WorkerSettings } from './base-settings.ts';

/** Lessons in a worker's prompt: those of the run's earlier attempts, and recalled ones. */
export type WorkerLessons = { own: WrittenLesson[]; recalled: RecalledText[] };

/** Maximum number of lessons from the run's own attempts in a worker's prompt. The newest are used. */
const MAX_OWN_LESSONS = 5;

/**
 * Returns the lessons of an attempt that apply to one of its workers: the newest of the run's own, which describe how to divide and do the
 * work, and some of the recalled ones. Recalled lessons must be pinned or share a word with the worker's task, description, name or tools.
 * Those with the most shared words come first. Limits: `lessons.tokenBudget` in total, `MAX_OWN_LESSONS` own and `lessons.topK` recalled
 * lessons. Source: Reflexion over a supervisor, a team that learns delegation patterns across attempts.
 */
export function workerLessons(
  { own, recalled }: Pick<StepLessons, 'own' | 'recalled'>,
  { lessons: { tokenBudget, topK, pinned } }: ExperimentSettings,
  worker: WorkerSettings,
  task: string,
): WorkerLessons {
  const newest = lessonsThatFit([...own].reverse(), tokenBudget, MAX_OWN_LESSONS);
  const wanted = stemsOf([worker.name, worker.description, ...worker.tools, task].join(' '));
  const relevant = recalled
    .map((lesson) => ({ lesson, shared: pinned.includes(lesson.id) ? Infinity : sharedStems(lesson.text, wanted) }))
    .filter(({ shared }) => shared > 0)
    // The sort is stable: equal lessons keep the order of the recall.
    .sort((one, other) => (one.shared === other.shared ? 0 : other.shared - one.shared))
    .map(({ lesson }) => lesson);
  return {
    own: newest.lessons.reverse(),
    recalled: lessonsThatFit(relevant, tokenBudget - newest.tokens, topK).lessons,
  };
}

/** Number of leading letters that must match for two words to count as one. Inflected forms differ at the end. */
const STEM_LENGTH = 6;

/** Maximum characters of a text that are compared. */
const MAX_TEXT_LENGTH = 20_000;

const SMALL_WORDS = new Set(
  'about after again all also and any are been before but can could did does each ever every for from get had has have her his how into its just like make may more most must never not now off one only other our out over own same should some such task than that the their them then there these they this those through too under use used using very was were what when where which while who why will with work would you your'.split(
    ' ',
  ),
);

function stemsOf(text: string): Set<string> {
  const words =
    text
      .slice(0, MAX_TEXT_LENGTH)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !SMALL_WORDS.has(word)).map((word) => word.slice(0, STEM_LENGTH)));
}

function sharedStems(text: string, wanted: ReadonlySet<string>): number {
  return [...stemsOf(text)].filter((stem) => wanted.has(stem)).length;
}
