'use client';

import { RateLimitNote, RunStatusBadge } from '#components/run/run-status.tsx';
import { Link } from '#components/ui/link.tsx';
import { Sparkline } from '#components/ui/sparkline.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { VirtualRows } from '#components/ui/virtual-rows.tsx';
import { formatCost, formatRunNumber, formatScore, formatTitle } from '#lib/format.ts';
import type { RunRow } from '#lib/runs/list-runs.ts';
import { FirstToBestCell, FirstToBestHead } from './success-cell.tsx';

export type RunTableRow = Omit<RunRow, 'convergenceReason' | 'endedBy' | 'imported'> & {
  /** Name of the stop reason. Empty if the run has not ended. */
  stoppedBy: string;
};

type RunsTableProps = {
  rows: readonly RunTableRow[];
  named?: boolean;
  /** Pass threshold of all runs. Null if it differs between them. */
  threshold?: number | null;
};

/** Table of runs with their scores and outcome. `named` adds the experiment. Long lists render only visible rows. */
export function RunsTable({ rows, named = false, threshold = null }: RunsTableProps) {
  return (
    <Table
      scrollLabel="Runs"
      isInset
      hasHover
      className="table-fixed"
      data-testid="runs"
      aria-rowcount={rows.length + 1}
    >
      <TableHead>
        <ColumnHead className="in-data-[slot=columns]:w-16 w-20 max-narrow:hidden">Run</ColumnHead>
        <ColumnHead className="max-narrow:pl-4">Case</ColumnHead>
        <ColumnHead className="in-data-[slot=columns]:w-[6.3rem] w-28">Status</ColumnHead>
        <NumberHead className="in-data-[slot=columns]:w-18 w-22 max-narrow:hidden">Versions</NumberHead>
        <ColumnHead className="in-data-[slot=columns]:w-[5.4rem] w-26 max-narrow:hidden">Scores</ColumnHead>
        <FirstToBestHead className="in-data-[slot=columns]:w-[6.8rem] w-32 max-narrow:w-16! max-narrow:pr-4" />
        <ColumnHead className="in-data-[slot=columns]:w-[7.2rem] w-36 max-narrow:hidden">Stopped by</ColumnHead>
        <NumberHead className="in-data-[slot=columns]:w-[4.3rem] w-22 max-narrow:hidden">Lessons</NumberHead>
        <NumberHead className="in-data-[slot=columns]:w-[5.8rem] w-32 max-narrow:hidden">Cost</NumberHead>
      </TableHead>
      <VirtualRows
        rows={rows}
        rowHeight={35}
        keyOf={({ id }) => id}
        cells={(row) => <RunCells row={row} named={named} threshold={threshold} />}
      />
    </Table>
  );
}

type RunCellsProps = { row: RunTableRow; named: boolean; threshold: number | null };

function RunCells({ row, named, threshold }: RunCellsProps) {
  return (
    <>
      <td className="font-mono text-ink-3 text-sm max-narrow:hidden">{formatRunNumber(row.number)}</td>
      <td className="wrap-anywhere max-narrow:pl-4">
        <span className="narrow:line-clamp-2">
          <Link className="font-medium" href={`/runs/${row.id}`}>
            <bdi>{formatTitle(row.input, 90) || 'An empty case'}</bdi>
          </Link>
          {named ? <span className="text-ink-3 text-sm"> {row.experimentName}</span> : null}
        </span>
        {row.rateLimit === null ? null : (
          <span className="block text-ink-2 text-sm">
            <RateLimitNote {...row.rateLimit} />
          </span>
        )}
      </td>
      <td>
        <RunStatusBadge status={row.status} success={row.success} rateLimit={row.rateLimit} />
      </td>
      <NumberCell className="max-narrow:hidden">{row.versionCount}</NumberCell>
      <td className="max-narrow:hidden">
        <Sparkline scores={row.scores} threshold={threshold} />
      </td>
      <FirstToBestCell first={`${formatScore(row.firstScore)} →`} best={row.bestScore} />
      <td className="text-sm max-narrow:hidden">{row.stoppedBy}</td>
      <NumberCell className="max-narrow:hidden">{row.lessonCount}</NumberCell>
      <NumberCell className="text-sm max-narrow:hidden">{formatCost(row.costUsd, row.unpriced)}</NumberCell>
    </>
  );
}
