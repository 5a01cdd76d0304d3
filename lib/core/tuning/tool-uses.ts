import type { ExampleScore, History } from '../history.ts';
import { isSameCandidate } from './candidate-parameters.ts';

/**
 * The step under which tools are used for tries. All tries of a run share it, since a case that failed or was not scored is tried again
 * in a later step and must find what its tools returned. Step 0 gives the first prompt and uses no tools.
 */
export const TRIES_STEP = 0;

type TriedPlace = Pick<ExampleScore, 'version' | 'position'>;

/** The number of the first version that is the same candidate: these share their tries. */
export function candidateNumber(history: Pick<History, 'versions'>, number: number): number {
  const version = history.versions.find((one) => one.number === number);
  if (version === undefined) return number;
  return history.versions.find((one) => isSameCandidate(history, version, one))?.number ?? number;
}

/** The beginning of the ids of all uses of tools for a candidate on a case: `candidate/position/`. */
export function toolUsesOf(history: Pick<History, 'versions'>, { version, position }: TriedPlace): string {
  return `${candidateNumber(history, version)}/${position}/`;
}

/** The beginnings of the ids of uses of tools that no later step needs, because their case is scored now. */
export function settledToolUses(history: Pick<History, 'versions'>, tries: readonly ExampleScore[]): string[] {
  return tries.flatMap((one) => (one.score === null ? [] : [toolUsesOf(history, one)]));
}
