import type { DecisionInput } from './decision-input.ts';
import type { StoredRun } from './load-run.ts';

/**
 * What a decision speaks of: `continue` and `stop` of the last version, `auto` too, `score` of the one that waits for it, `edit` and
 * `merge` of the one they make, all others of any. On the use of a tool, `allow`, `refuse` and `auto` speak of the version that the agent
 * works towards.
 */
export function decidedVersion(
  input: DecisionInput,
  { run, history }: Pick<StoredRun, 'run' | 'history'>,
): number | null {
  const last = history.versions.at(-1)?.number ?? null;
  switch (input.decision) {
    case 'continue':
    case 'stop':
      return last;
    case 'auto':
      return history.pause?.toolCall == null ? last : history.pause.version;
    case 'allow':
    case 'refuse':
      return history.pause?.version ?? null;
    case 'edit':
    case 'merge':
      return history.versions.length;
    case 'accept':
      return input.version ?? history.pause?.version ?? run.finalVersion ?? last;
    case 'revise':
    case 'revert':
    case 'score':
    case 'override':
    case 'restore':
      return input.version ?? history.pause?.version ?? last;
  }
}

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
