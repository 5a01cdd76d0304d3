import type { StoredRun } from './load-run.ts';

/** The iteration of the version that a run's pause speaks of; of one that an agent works towards, the one it will have. */
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
