import { diffParts, mergeChanges } from '#components/ui/diff/diff-parts.ts';
import type { Taking } from '#components/ui/diff/diff-view.tsx';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { formatList } from '#lib/format.ts';
import { comparedWith } from './run-versions.ts';
import type { RunPageState } from './use-run-page-state.ts';

/** A version to be made of some changes of another: of which two, its text, how many changes, and all of it in words. */
type ChosenChanges = { parents: [number, number]; output: string; count: number; words: string };

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

/** Which changes of the diff are taken over: all but those that the address names as left. */
export function takingOf({ left, setLeft }: Pick<RunPageState, 'left' | 'setLeft'>): Taking {
  return {
    isTaken: (change) => !left.includes(change),
    set: (change, isTaken) => {
      const others = left.filter((number) => number !== change);
      setLeft(isTaken ? others : [...others, change].sort((one, other) => one - other));
    },
  };
}

/** Which changes are taken and which are left: "take changes 1, 2 and 4 of v6, leave 3". */
function takeLabel(version: number, taken: number[], left: number[]): string {
  const name = taken.length === 1 ? 'change' : 'changes';
  return `take ${name} ${formatList(taken.map(String))} of v${version}, leave ${formatList(left.map(String))}`;
}
