import { parseAsArrayOf, parseAsInteger, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { diffParts, mergeChanges } from '#components/ui/diff/diff-rows.ts';
import type { ChangeSelection } from '#components/ui/diff/diff-view.tsx';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { formatList } from '#lib/format.ts';
import { comparedWith } from './run-versions.ts';

type RunViewOptions = { view: 'text' | 'rendered' | 'diff'; layout: 'split' | 'unified' };
const DEFAULT_RUN_VIEW: RunViewOptions = { view: 'text', layout: 'split' };

/**
 * State of the run page in the URL: chosen version, view (text, rendered or diff), base version, layout, current change and changes left
 * out. `look` sets the defaults. Set `shallow` to false if the server renders additional data for a version.
 */
export function useRunPageState(
  look: RunViewOptions = DEFAULT_RUN_VIEW,
  { shallow = true }: { shallow?: boolean } = {},
) {
  const [{ v: version, ...state }, set] = useQueryStates({
    v: parseAsInteger.withOptions({ shallow }),
    view: parseAsStringLiteral(['text', 'rendered', 'diff'] as const).withDefault(look.view),
    against: parseAsInteger,
    layout: parseAsStringLiteral(['split', 'unified'] as const).withDefault(look.layout),
    space: parseAsStringLiteral(['plain', 'shown'] as const).withDefault('plain'),
    change: parseAsInteger,
    /** Changes of the diff to leave out. */
    left: parseAsArrayOf(parseAsInteger).withDefault([]),
  });
  return {
    ...state,
    version,
    /** Null selects the default version of the run. */
    setVersion: (next: number | null) => void set({ v: next, change: null, left: null }),
    setView: (view: 'text' | 'rendered' | 'diff') => void set({ view }),
    setAgainst: (against: number) => void set({ against, change: null, left: null }),
    setSpace: (space: 'plain' | 'shown') => void set({ space }),
    setChange: (change: number) => void set({ change }),
    setLeft: (left: number[]) => void set({ left: left.length === 0 ? null : left }),
    setLayout: (layout: 'split' | 'unified') => void set({ layout }),
  };
}

export type RunPageState = ReturnType<typeof useRunPageState>;

/** A version to create from selected changes of another: its two parents, its text, the number of changes, and a description. */
type ChosenChanges = { parents: [number, number]; output: string; count: number; label: string };

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
  const selected = numbers.filter((number) => !left.includes(number));
  if (selected.length === 0 || selected.length === numbers.length) return null;
  const leftOut = numbers.filter((number) => left.includes(number));
  return {
    parents: [against.number, version.number],
    output: mergeChanges(against.output, version.output, (number) => selected.includes(number)),
    count: selected.length,
    label: selectionLabel(version.number, selected, leftOut),
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
function selectionLabel(version: number, selected: number[], left: number[]): string {
  const name = selected.length === 1 ? 'change' : 'changes';
  return `take ${name} ${formatList(selected.map(String))} of v${version}, leave ${formatList(left.map(String))}`;
}
