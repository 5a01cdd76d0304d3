import { diffParts, mergeChanges } from '#components/ui/diff/diff-parts.ts';
import type { ChangeSelection } from '#components/ui/diff/diff-view.tsx';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { formatList } from '#lib/format.ts';
import { comparedWith } from './run-versions.ts';
import type { RunPageState } from './use-run-page-state.ts';

/** A version to create from selected changes of another: its two parents, its text, the number of changes, and a description. */
type ChosenChanges = { parents: [number, number]; output: string; count: number; words: string };

/**
 * Returns the version that the selected changes of the diff produce. Returns null without a selection: the diff is hidden, all changes are
 * taken (the version itself) or all are left (the version it is compared with).
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

/** Returns which changes of the diff are taken: all except those listed as left in the URL. */
export function toChangeSelection({ left, setLeft }: Pick<RunPageState, 'left' | 'setLeft'>): ChangeSelection {
  return {
    isTaken: (change) => !left.includes(change),
    set: (change, isTaken) => {
      const others = left.filter((number) => number !== change);
      setLeft(isTaken ? others : [...others, change].sort((one, other) => one - other));
    },
  };
}

/** Formats the taken and the left changes: "take changes 1, 2 and 4 of v6, leave 3". */
function takeLabel(version: number, taken: number[], left: number[]): string {
  const name = taken.length === 1 ? 'change' : 'changes';
  return `take ${name} ${formatList(taken.map(String))} of v${version}, leave ${formatList(left.map(String))}`;
}
