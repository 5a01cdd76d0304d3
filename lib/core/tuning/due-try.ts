import type { History } from '../history.ts';
import type { Step, TryPurpose } from '../step.ts';
import { repeatedScores, scoresOfText } from './cases-of.ts';

/** The most cases of one step: what a killed worker may have under way. */
const CASES_A_STEP = 16;
/** How often a case may be tried with the same prompt before its unscored state counts as final. */
const TRIES = 2;

export type TryStep = Extract<Step, { type: 'try' }>;

/**
 * The next part of the cases that a version is due on: those that its text does not have `times` scores on yet. Null when there is none
 * left. Cases that were unscored too often stand alone: they end the run. Held-out cases, which decide nothing, are left as gaps then.
 */
export function dueExample(
  history: History,
  version: number,
  positions: readonly number[],
  purpose: TryPurpose,
  times = 1,
): TryStep | null {
  const scores = repeatedScores(scoresOfText(history, version));
  const missing = positions.filter((position) => (scores.get(position)?.length ?? 0) < times);
  const failed = usedUpPositions(history, version);
  const usedUp = missing.filter((position) => failed.has(position));
  const open = missing.filter((position) => !usedUp.includes(position));
  const due = purpose === 'held_out' || usedUp.length === 0 ? open : usedUp;
  return due.length === 0 ? null : { type: 'try', version, positions: due.slice(0, CASES_A_STEP), purpose };
}

/** Whether a step is about cases that could not be scored, however often they were tried. */
export function cannotBeScored(history: History, step: Step | null): boolean {
  if (step?.type !== 'try' || step.purpose === 'held_out') return false;
  const failed = usedUpPositions(history, step.version);
  return step.positions.some((position) => failed.has(position));
}

/** The cases that were tried too often without a score since their last one. A resumed run tries them again. */
export function usedUpPositions(history: History, version: number): Set<number> {
  const resumedAt = history.decisions.findLast(({ decision }) => decision === 'resume')?.step ?? 0;
  const unscored = new Map<number, number>();
  for (const { position, score, step } of scoresOfText(history, version)) {
    if (score !== null) unscored.delete(position);
    else if (step >= resumedAt) unscored.set(position, (unscored.get(position) ?? 0) + 1);
  }
  return new Set([...unscored].flatMap(([position, times]) => (times >= TRIES ? [position] : [])));
}
