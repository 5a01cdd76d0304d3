import { type History, NEW_VERSION, type Version } from './history.ts';
import { isCutOff } from './responses.ts';
import { roundTo6 } from './round.ts';
import { scoreOf } from './scored-versions.ts';

/** A version written by hand. `parents` is the version that was edited, or the two that were merged. */
type HandWritten = { output: string; parents: number[]; at: string };

/** Returns the next version of a run as written by hand. No model made it, it cost nothing, and it does not use an iteration. */
export function editedVersion(
  { versions, step }: Pick<History, 'versions' | 'step'>,
  { output, parents, at }: HandWritten,
): Version {
  return {
    ...NEW_VERSION,
    number: versions.length,
    iteration: versions.at(-1)?.iteration ?? 0,
    origin: parents.length > 1 ? 'merged' : 'edited',
    parents,
    output,
    createdAt: at,
    step,
  };
}

/**
 * Returns the details of a revision that was cut off and scores no higher than its parent, or null for any other version. The next revision
 * starts from the parent again. `fell` is the score difference, 0 or more (0 if one of the two is not scored).
 */
export function truncatedRevision(
  history: History,
  version: Version,
): { parent: number; regressed: { version: number; drop: number } } | null {
  const [parent] = version.parents;
  if (!isCutOff(version) || parent === undefined) return null;
  const before = scoreOf(history, parent);
  const after = scoreOf(history, version.number);
  const drop = before === null || after === null ? 0 : roundTo6(before - after);
  return drop < 0 ? null : { parent, regressed: { version: version.number, drop } };
}

/** Returns the first version of a run that starts with a text from another run. It has no parents and cost nothing. */
export function branchedVersion({ output, at }: { output: string; at: string }): Version {
  return { ...editedVersion({ versions: [], step: 0 }, { output, parents: [], at }), origin: 'branched' };
}
