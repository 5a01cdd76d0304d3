import { lessonsThatFit, type StepLessons } from '#lib/core/lesson-form.ts';
import type { RecalledText } from '#lib/core/lesson-schema.ts';
import type { WrittenLesson } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import type { WorkerSettings } from './base-settings.ts';

/** The lessons in a worker's prompt: those of the run's earlier attempts, and recalled ones. */
export type WorkerLessons = { own: WrittenLesson[]; recalled: RecalledText[] };

/** Lessons of the run's own attempts that a worker is given, the newest of them. */
const MOST_OWN = 5;

/**
 * The lessons of an attempt that a worker of it is given: the newest of the run's own, which say how the work is to be shared and done,
 * and of the recalled ones those that are pinned or share a word with the worker's task, description, name or tools, the most words
 * first. Together within `lessons.tokenBudget`, at most `MOST_OWN` and `lessons.topK`. Source: Reflexion over a supervisor, a team that
 * learns delegation patterns across attempts.
 */
export function workerLessons(
  { own, recalled }: Pick<StepLessons, 'own' | 'recalled'>,
  { lessons: { tokenBudget, topK, pinned } }: ExperimentSettings,
  worker: WorkerSettings,
  task: string,
): WorkerLessons {
  const newest = lessonsThatFit([...own].reverse(), tokenBudget, MOST_OWN);
  const wanted = stemsOf([worker.name, worker.description, ...worker.tools, task].join(' '));
  const relevant = recalled
    .map((lesson) => ({ lesson, shared: pinned.includes(lesson.id) ? Infinity : sharedStems(lesson.text, wanted) }))
    .filter(({ shared }) => shared > 0)
    // Stable: among equals the order of the recall stands.
    .sort((one, other) => (one.shared === other.shared ? 0 : other.shared - one.shared))
    .map(({ lesson }) => lesson);
  return {
    own: newest.lessons.reverse(),
    recalled: lessonsThatFit(relevant, tokenBudget - newest.tokens, topK).lessons,
  };
}

/** Letters that two words must begin with alike to count as one: forms of a word differ at its end. */
const STEM_LENGTH = 6;

/** Characters of a text that are looked at. */
const LONGEST_TEXT = 20_000;

const SMALL_WORDS = new Set(
  'about after again all also and any are been before but can could did does each ever every for from get had has have her his how into its just like make may more most must never not now off one only other our out over own same should some such task than that the their them then there these they this those through too under use used using very was were what when where which while who why will with work would you your'.split(
    ' ',
  ),
);

function stemsOf(text: string): Set<string> {
  const words =
    text
      .slice(0, LONGEST_TEXT)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !SMALL_WORDS.has(word)).map((word) => word.slice(0, STEM_LENGTH)));
}

function sharedStems(text: string, wanted: ReadonlySet<string>): number {
  return [...stemsOf(text)].filter((stem) => wanted.has(stem)).length;
}
