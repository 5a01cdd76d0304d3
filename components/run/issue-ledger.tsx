import { useEffect, useRef } from 'react';
import { ChartLegend } from '#components/ui/chart.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { ColumnHead, TableHead } from '#components/ui/table.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import { currentEvaluation } from './run-versions.ts';

/** Table of issues by version: where each was opened, remained open, was resolved or reappeared. */
export function IssueLedger({ record, selected }: { record: RunRecord; selected: number | null }) {
  const head = useRef<HTMLTableCellElement>(null);
  useEffect(() => {
    const column = selected === null ? null : head.current;
    // Scrolls only the table, never the page.
    const frame = column?.closest('[data-slot="scroll-x"]');
    if (column && frame) frame.scrollLeft = column.offsetLeft - (frame.clientWidth - column.offsetWidth) / 2;
  }, [selected]);
  const rows = ledgerRows(record);
  if (rows.length === 0) return null;
  const open = rows.filter((row) => row.open).length;
  return (
    <Pane className="max-medium:order-5">
      <PaneHeader title="Issues" note={`${open} open of ${rows.length}`} />
      <ScrollX label="Issues by version">
        <table className="th:w-7.5 w-full th:min-w-7.5 border-collapse td:border-line th:border-line td:border-b th:border-b td:py-[0.28rem] th:py-1 td:text-center th:text-center th:font-medium text-sm th:text-ink-3 last-row:border-b-0">
          <TableHead>
            <ColumnHead className="sticky left-0 w-auto min-w-36 bg-bg text-left">Issue</ColumnHead>
            {record.versions.map((version) => (
              <ColumnHead
                key={version.number}
                ref={version.number === selected ? head : undefined}
                className={version.number === selected ? 'bg-brand-tint' : undefined}
              >
                v{version.number}
              </ColumnHead>
            ))}
          </TableHead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <td className="wrap-anywhere sticky left-0 bg-bg pr-2.5 text-left leading-[1.35]">
                  {row.text}
                  {row.criterion ? <span className="text-ink-3"> {row.criterion}</span> : null}
                </td>
                {record.versions.map((version, column) => (
                  <td key={version.number} className={cellClass(row.cells[column], version.number === selected)}>
                    <Cell cell={row.cells[column] ?? 'none'} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      <ChartLegend className="mt-2" aria-hidden>
        {LEGEND_CELLS.map((cell) => (
          <span key={cell}>
            <Cell cell={cell} /> {CELL_LABELS[cell]}
          </span>
        ))}
      </ChartLegend>
    </Pane>
  );
}

function cellClass(cell: IssueCell | undefined, isSelected: boolean): string | undefined {
  if (cell === 'unscored') return 'bg-[repeating-linear-gradient(135deg,transparent_0_3px,var(--line)_3px_4px)]';
  return isSelected ? 'bg-brand-tint' : undefined;
}

function Cell({ cell }: { cell: IssueCell }) {
  if (cell === 'none') return null;
  if (cell === 'unscored') return <span className="sr-only">unscored</span>;
  return (
    <svg
      className="inline-block size-3.5 in-[td]:align-middle align-[-0.2em]"
      viewBox="0 0 14 14"
      role="img"
      aria-label={CELL_LABELS[cell]}
    >
      {cell === 'opened' ? <circle cx="7" cy="7" r="4.5" className="fill-worse" /> : null}
      {cell === 'open' ? <circle cx="7" cy="7" r="4" className="fill-none stroke-worse" strokeWidth={1.75} /> : null}
      {cell === 'again' ? (
        <>
          <circle cx="7" cy="7" r="4.5" className="fill-none stroke-worse" strokeWidth={1.75} />
          <circle cx="7" cy="7" r="1.9" className="fill-worse" />
        </>
      ) : null}
      {cell === 'resolved' ? (
        <path
          d="M3 7.4 6 10.2 11.2 4"
          className="fill-none stroke-better"
          strokeWidth={1.9}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ) : null}
    </svg>
  );
}

const LEGEND_CELLS = ['opened', 'open', 'resolved', 'again'] as const;
const CELL_LABELS: Record<Exclude<IssueCell, 'none'>, string> = {
  opened: 'opened',
  open: 'still open',
  resolved: 'resolved',
  again: 'raised again',
  unscored: 'unscored',
};

type IssueCell = 'opened' | 'open' | 'again' | 'resolved' | 'unscored' | 'none';
/** One issue across the versions. `cells` has one entry per version. `open`: still open in the last evaluated version. */
type LedgerRow = { id: string; text: string; criterion: string | null; cells: IssueCell[]; open: boolean };

/** Returns the issues of a run by version, open ones first. An issue is marked as resolved only in the first version without it. */
export function ledgerRows(record: Pick<RunRecord, 'versions' | 'issues'>): LedgerRow[] {
  const rows = record.issues.map(({ id, text, criterion, states }): LedgerRow => {
    const cells = record.versions.map((version): IssueCell => {
      const isUnscored = currentEvaluation(version)?.status === 'partial';
      return states[version.number] ?? (isUnscored ? 'unscored' : 'none');
    });
    const last = cells.findLast((cell) => cell !== 'none' && cell !== 'unscored');
    return { id, text, criterion, cells, open: last !== 'resolved' };
  });
  return rows.sort((one, other) => Number(other.open) - Number(one.open));
}
