import type { ExampleScore, History } from '../history.ts';
import { isSameCandidate } from './candidate-parameters.ts';

/**
 * The step under which tool results of example scores are saved. All example scores of a run share it, because a case that failed or was
 * not scored is retried in a later step, which reuses the results. Step 0 adds the first prompt and calls no tools.
 */
export const EXAMPLE_SCORES_STEP = 0;

type TriedExample = Pick<ExampleScore, 'version' | 'position'>;

/** Returns the number of the first version that is the same candidate. These share their example scores. */
export function candidateNumber(history: Pick<History, 'versions'>, number: number): number {
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
