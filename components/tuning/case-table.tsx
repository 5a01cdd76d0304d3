'use client';

import { parseAsInteger, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { Pane, PaneHeader, PaneNote } from '#components/ui/pane.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { VirtualRows } from '#components/ui/virtual-rows.tsx';
import type { Split } from '#lib/core/history.ts';
import { formatNumberOf, formatScore } from '#lib/format.ts';
import {
  type CaseGrid,
  type GridCase,
  type GridCell,
  type GridLeader,
  readGrid,
  type TuningGrid,
} from './tuning-grid.ts';

type CaseTableProps = {
  grid: TuningGrid;
  /** The selected prompt and its parent. */
  selected: number | null;
  parent: number | null;
  state: TuningPageState;
  onSelect: (version: number) => void;
};

/** Table of scores by case and prompt. The selected prompt is compared with its parent. Clicking a leader selects it. */
export function CaseTable({ grid, selected, parent, state, onSelect }: CaseTableProps) {
  const read = useMemo(() => readGrid(grid), [grid]);
  const { columns, leaders } = read;
  const has = (version: number | null) => columns.some((column) => column.version === version);
  const isCompared = selected !== null && parent !== null && has(selected) && has(parent);
  const { split, effect } = state;
  const rows = useMemo(
    () => shownCases(read, { split, change: effect, selected, parent }),
    [read, split, effect, selected, parent],
  );
  const isNarrowColumn = (version: number) => version === selected || version === parent;
  return (
    <section className="min-w-0" aria-label="Cases">
      <Pane className="border-b-0 pb-2">
        <PaneHeader title="Cases" className="mb-0">
          <Segmented label="Split" value={split} onChange={state.setSplit} choices={SPLIT_CHOICES} />
          {isCompared ? (
            <Segmented
              label={`v${selected} against v${parent}`}
              value={effect}
              onChange={state.setEffect}
              choices={EFFECT_CHOICES}
            />
          ) : null}
          <span className="text-ink-3 text-sm">
            {formatNumberOf(rows.length, 'case')}
            {isCompared ? `, v${selected} against v${parent}` : ''}. The highest score is <b>bold</b>
            {grid.isPart ? '. Columns: the original, the best and the selected prompt, and its parent.' : ''}
          </span>
        </PaneHeader>
      </Pane>
      {rows.length === 0 ? (
        <PaneNote className="pt-0">No cases match.</PaneNote>
      ) : (
        <Table scrollLabel="Cases by prompt" isInset hasHover data-testid="case-table" aria-rowcount={rows.length + 1}>
          <TableHead>
            <ColumnHead className="max-narrow:pl-4">Case</ColumnHead>
            <ColumnHead className="max-narrow:hidden">Split</ColumnHead>
            {isCompared ? (
              <ColumnHead>
                v{parent} → v{selected}
              </ColumnHead>
            ) : null}
            {columns.map(({ version }) => (
              <NumberHead
                key={version}
                className={isNarrowColumn(version) ? undefined : 'max-narrow:hidden'}
                aria-current={version === selected ? 'true' : undefined}
              >
                v{version}
              </NumberHead>
            ))}
            <ColumnHead className="max-narrow:hidden">Led by</ColumnHead>
          </TableHead>
          <VirtualRows
            rows={rows}
            rowHeight={35}
            keyOf={({ position }) => position}
            cells={({ position, index: caseIndex, title, split: ownSplit, change, weight }) => {
              const leader = leaders.get(caseIndex);
              return (
                <>
                  <td className="w-[45%] min-w-36 max-w-0 max-narrow:pl-4">
                    <button
                      type="button"
                      className="block w-full min-w-0 cursor-pointer truncate text-left font-semibold"
                      aria-pressed={state.case === position}
                      onClick={() => state.setCase(state.case === position ? null : position)}
                    >
                      <span className="font-mono text-ink-3 text-sm">{position + 1}</span> {title || 'An empty case'}
                    </button>
                  </td>
                  <td className="whitespace-nowrap text-ink-2 text-sm max-narrow:hidden">
                    {SPLIT_LABELS[ownSplit]}
                    {weight === undefined ? '' : `, weight ${weight}`}
                  </td>
                  {isCompared ? (
                    <td>
                      <ChangeBadge change={change} />
                    </td>
                  ) : null}
                  {columns.map((column) => (
                    <NumberCell
                      key={column.version}
                      className={isNarrowColumn(column.version) ? undefined : 'max-narrow:hidden'}
                    >
                      <Cell cell={column.cells[caseIndex]} />
                    </NumberCell>
                  ))}
                  <td className="whitespace-nowrap max-narrow:hidden">
                    {leader === undefined ? null : leader.count > 1 && leader.count === grid.leads.length ? (
                      <span className="text-ink-3 text-sm">all</span>
                    ) : (
                      <Leaders leader={leader} onSelect={onSelect} />
                    )}
                  </td>
                </>
              );
            }}
          />
        </Table>
      )}
    </section>
  );
}

/** Button that selects the newest leader, with the number of other leaders. */
function Leaders({ leader, onSelect }: { leader: GridLeader; onSelect: (version: number) => void }) {
  const { version, count } = leader;
  return (
    <>
      <button
        type="button"
        className="link cursor-pointer"
        aria-label={`Select v${version}, which leads on this case`}
        onClick={() => onSelect(version)}
      >
        v{version}
      </button>
      {count > 1 ? <span className="text-ink-3 text-sm"> and {count - 1} more</span> : null}
    </>
  );
}

function Cell({ cell }: { cell: GridCell | undefined }) {
  if (cell === undefined) return <span className="text-ink-3">–</span>;
  if (cell.score === null) return <span className="text-ink-3 text-sm">unscored</span>;
  const content = (
    <>
      {formatScore(cell.score)}
      <span aria-hidden> {cell.isGood ? '✓' : '✕'}</span>
      <span className="sr-only">{cell.isGood ? ' good' : ' not good'}</span>
    </>
  );
  return cell.isLead ? (
    <b className="whitespace-nowrap">{content}</b>
  ) : (
    <span className="whitespace-nowrap text-ink-2">{content}</span>
  );
}

export const SPLIT_LABELS = { train: 'training', validation: 'validation', held_out: 'held out' } as const;

const SPLIT_CHOICES = [
  { value: 'all', label: 'All' },
  { value: 'train', label: 'Training' },
  { value: 'validation', label: 'Validation' },
  { value: 'held_out', label: 'Held out' },
] as const;

const EFFECT_CHOICES = [
  { value: 'any', label: 'Any' },
  { value: 'up', label: '▲ up' },
  { value: 'down', label: '▼ down' },
] as const;

/** Shows the change of a case as a glyph and a word. */
export function ChangeBadge({ change }: { change: CaseChange | null }) {
  switch (change) {
    case 'fixed':
    case 'better':
      return (
        <span className="whitespace-nowrap text-better text-sm">
          <span aria-hidden>▲</span> {change}
        </span>
      );
    case 'broken':
    case 'worse':
      return (
        <span className="whitespace-nowrap text-sm text-worse">
          <span aria-hidden>▼</span> {change}
        </span>
      );
    case 'same':
      return <span className="whitespace-nowrap text-ink-3 text-sm">= same</span>;
    case null:
      return null;
  }
}

const SPLITS = ['all', 'train', 'validation', 'held_out'] as const;
const EFFECTS = ['any', 'up', 'down'] as const;

/** Returns the state of a tuning run's page in the URL, except the version: the case filters and the open case. */
export function useTuningPageState() {
  const [state, set] = useQueryStates({
    split: parseAsStringLiteral(SPLITS).withDefault('all'),
    effect: parseAsStringLiteral(EFFECTS).withDefault('any'),
    // Not shallow, because the server renders the texts of the case.
    case: parseAsInteger.withOptions({ shallow: false }),
  });
  return {
    ...state,
    setSplit: (split: (typeof SPLITS)[number]) => void set({ split }),
    setEffect: (effect: (typeof EFFECTS)[number]) => void set({ effect }),
    setCase: (position: number | null) => void set({ case: position }),
  };
}

type TuningPageState = ReturnType<typeof useTuningPageState>;

export type CaseFilter = {
  split: Split | 'all';
  /** Filter by the change from the parent to the chosen prompt: `up` is fixed or better, `down` is broken or worse. */
  change: 'any' | 'up' | 'down';
  selected: number | null;
  parent: number | null;
};
type ShownCase = GridCase & { index: number; change: CaseChange | null };

/** Returns the cases that match a filter, each with its index in the grid and its change. */
export function shownCases(
  { cases, columns }: Pick<CaseGrid, 'cases' | 'columns'>,
  { split, change, selected, parent }: CaseFilter,
): ShownCase[] {
  const [before, after] = [parent, selected].map((version) => columns.find((column) => column.version === version));
  return cases.flatMap((one, index) => {
    if (split !== 'all' && one.split !== split) return [];
    const became = caseChange(before?.cells[index], after?.cells[index]);
    if (change === 'up' && became !== 'fixed' && became !== 'better') return [];
    if (change === 'down' && became !== 'broken' && became !== 'worse') return [];
    return [{ ...one, index, change: became }];
  });
}

/** Change of a case between two prompts. */
type CaseChange = 'fixed' | 'better' | 'same' | 'worse' | 'broken';

type Judged = Omit<GridCell, 'isLead'>;

/**
 * Returns the change of a case between two prompts, or null if either has no score. `fixed` and `broken` cross the threshold; `better` and
 * `worse` only change the score.
 */
export function caseChange(before: Judged | undefined, after: Judged | undefined): CaseChange | null {
  if (before === undefined || after === undefined || before.score === null || after.score === null) return null;
  if (before.isGood !== after.isGood) return after.isGood ? 'fixed' : 'broken';
  if (after.score === before.score) return 'same';
  return after.score > before.score ? 'better' : 'worse';
}
