import { lastResumeStep } from '../decisions.ts';
import type { ExampleScore, History } from '../history.ts';
import type { Step, TryPart, TryPurpose } from '../step.ts';
import { isSameCandidate } from './candidate-parameters.ts';
import { repeatedScores, scoresOfText } from './case-scores.ts';

/** Maximum number of example scores in one step. A killed worker loses at most this many. */
const MAX_TRIES_PER_STEP = 64;
/** Maximum attempts to score a case with the same prompt before its unscored state is final. */
const MAX_SCORING_ATTEMPTS = 2;

export type TryStep = Extract<Step, { type: 'try' }>;

/**
 * Returns the next of the wanted example scores, at most `most`: cases on which the text of a version does not have `times` scores yet.
 * Null if there are none. Cases that were unscored too often are returned alone, because they end the run. Such held-out cases are skipped,
 * because they decide nothing.
 */
export function dueTries(
  history: History,
  wanted: readonly TryPart[],
  purpose: TryPurpose,
  times = 1,
  most = MAX_TRIES_PER_STEP,
): TryStep | null {
  const parts: TryPart[] = [];
  const selected = new Set<string>();
  for (const { version, positions } of wanted) {
    const scores = repeatedScores(scoresOfText(history, version));
    const missing = positions.filter((position) => (scores.get(position)?.length ?? 0) < times);
    if (missing.length === 0) continue;
    const failed = exhaustedPositions(history, version);
    const usedUp = missing.filter((position) => failed.has(position));
    if (usedUp.length > 0 && purpose !== 'held_out')
      return { type: 'try', parts: [{ version, positions: usedUp.slice(0, most) }], purpose };
    const text = candidateNumber(history, version);
    const open = missing
      .filter((position) => !failed.has(position) && !selected.has(`${position} ${text}`))
      .slice(0, most - selected.size);
    for (const position of open) selected.add(`${position} ${text}`);
    if (open.length > 0) parts.push({ version, positions: open });
  }
  return parts.length === 0 ? null : { type: 'try', parts, purpose };
}

/** True if a step is about cases that could not be scored after all attempts. */
export function cannotBeScored(history: History, step: Step | null): boolean {
  if (step?.type !== 'try' || step.purpose === 'held_out') return false;
  return step.parts.some(({ version, positions }) => {
    const failed = exhaustedPositions(history, version);
    return positions.some((position) => failed.has(position));
  });
}

/** Returns the cases that used up their attempts without a score since their last one. A resumed run tries them again. */
export function exhaustedPositions(history: History, version: number): Set<number> {
  const resumedAt = lastResumeStep(history);
  const unscored = new Map<number, number>();
  for (const { position, score, step } of scoresOfText(history, version)) {
    if (score !== null) unscored.delete(position);
    else if (step >= resumedAt) unscored.set(position, (unscored.get(position) ?? 0) + 1);
  }
  return new Set([...unscored].flatMap(([position, times]) => (times >= MAX_SCORING_ATTEMPTS ? [position] : [])));
}

/**
 * The step under which tool results of example scores are saved. All example scores of a run share it, because a case that failed or was
 * not scored is retried in a later step, which reuses the results. Step 0 adds the first prompt and calls no tools.
 */
export const EXAMPLE_SCORES_STEP = 0;

type TriedExample = Pick<ExampleScore, 'version' | 'position'>;

/** Returns the number of the first version that is the same candidate. These share their example scores. */
function candidateNumber(history: Pick<History, 'versions'>, number: number): number {
  const version = history.versions.find((one) => one.number === number);
  if (version === undefined) return number;
  return history.versions.find((one) => isSameCandidate(history, version, one))?.number ?? number;
}

/** Returns the id prefix of all tool calls for a candidate on a case: `candidate/position/`. */
export function toolUsesOf(history: Pick<History, 'versions'>, { version, position }: TriedExample): string {
  return `${candidateNumber(history, version)}/${position}/`;
}

/** Returns the id prefixes of tool calls whose results are no longer needed, because their case is scored. */
export function settledToolUses(history: Pick<History, 'versions'>, tries: readonly ExampleScore[]): string[] {
  return tries.flatMap((one) => (one.score === null ? [] : [toolUsesOf(history, one)]));
}
