import { editedVersion } from '#lib/core/edited-version.ts';
import type { Version } from '#lib/core/history.ts';

/** The first version of a run that begins with a text from another run: nothing made it, it has no parents and cost nothing. */
export function branchedVersion({ output, at }: { output: string; at: string }): Version {
  return { ...editedVersion({ versions: [], step: 0 }, { output, parents: [], at }), origin: 'branched' };
}
