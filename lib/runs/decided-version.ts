import { decisionKind } from '#lib/core/decision-kinds.ts';
import type { DecisionInput } from './decision-input.ts';
import type { StoredRun } from './load-run.ts';

/** Returns the number of the version that a decision is about (see `about` in its definition), or null if there is none. */
export function decidedVersion(
  input: DecisionInput,
  { run, history }: Pick<StoredRun, 'run' | 'history'>,
): number | null {
  const { about, names } = decisionKind(input.decision);
  if (names && input.version !== undefined) return input.version;
  const last = history.versions.at(-1)?.number ?? null;
  switch (about) {
    case 'last':
      return last;
    case 'waiting':
      return history.pause?.version ?? last;
    case 'made':
      return history.versions.length;
    case 'taken':
      return history.pause?.version ?? run.finalVersion ?? last;
  }
}

/**
 * Returns the iteration of the version that a run's pause is about. For a version that an agent is still working on, returns its future
 * iteration.
 */
export function pausedIteration(
  { history, settings }: Pick<StoredRun, 'history' | 'settings'>,
  version: number | null,
): number {
  const made = history.versions.find(({ number }) => number === version);
  if (made !== undefined) return made.iteration;
  const last = history.versions.at(-1);
  if (last === undefined) return 0;
  return settings.mode === 'retry' && version !== null ? last.iteration + 1 : last.iteration;
}
