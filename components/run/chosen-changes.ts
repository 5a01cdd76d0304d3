import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { comparedWith } from './compared-with.ts';
import { diffParts, mergeChanges } from './diff-parts.ts';
import { takeLabel } from './take-labels.ts';
import type { RunPageState } from './use-run-page-state.ts';

/** A version to be made of some changes of another: of which two, its text, how many changes, and all of it in words. */
export type ChosenChanges = { parents: [number, number]; output: string; count: number; words: string };

/**
 * What the choice in the diff comes to; null where nothing is chosen: the diff is not shown, all changes are taken (that is the version
 * itself) or all are left (that is the one it is compared with).
 */
export function chosenChanges(
  record: RunRecord,
  version: VersionRecord,
  { view, against: wanted, left }: Pick<RunPageState, 'view' | 'against' | 'left'>,
): ChosenChanges | null {
  const { against } = comparedWith(record, version, wanted);
  if (view !== 'diff' || against === undefined || left.length === 0) return null;
  const numbers = diffParts(against.output, version.output).flatMap((part) =>
    part.kind === 'change' ? [part.number] : [],
  );
  const taken = numbers.filter((number) => !left.includes(number));
  if (taken.length === 0 || taken.length === numbers.length) return null;
  const leftOut = numbers.filter((number) => left.includes(number));
  return {
    parents: [against.number, version.number],
    output: mergeChanges(against.output, version.output, (number) => taken.includes(number)),
    count: taken.length,
    words: takeLabel(version.number, taken, leftOut),
  };
}
