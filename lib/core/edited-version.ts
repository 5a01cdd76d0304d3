import { type History, NO_SPEND, type Version } from './history.ts';

/** What was written by hand: `parents` is the version that was edited, or the two that were merged. */
export type HandWritten = { output: string; parents: number[]; at: string };

/** The next version of a run as somebody wrote it: no model made it, it cost nothing, and it takes no iteration. */
export function editedVersion(
  { versions, step }: Pick<History, 'versions' | 'step'>,
  { output, parents, at }: HandWritten,
): Version {
  return {
    ...NO_SPEND,
    number: versions.length,
    iteration: versions.at(-1)?.iteration ?? 0,
    origin: parents.length > 1 ? 'merged' : 'edited',
    parents,
    output,
    outputDropped: false,
    strategy: null,
    strategyNote: null,
    improvementsApplied: [],
    finishReason: 'stop',
    interrupted: false,
    recalledLessons: [],
    proposal: null,
    createdAt: at,
    step,
  };
}
