'use client';

import Link from 'next/link';
import { RunStatusBadge } from '#components/run/run-status.tsx';
import { type EndedBy, stopNameBy } from '#components/run/stop-reason-words.ts';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { VirtualRows } from '#components/ui/virtual-rows.tsx';
import { formatCost, formatRunNumber, formatScore, formatTitle } from '#lib/format.ts';
import type { StopReason } from '#lib/reflection/history.ts';
import type { RunStatus } from '#lib/reflection/run-record.ts';
import { Sparkline } from './sparkline.tsx';

/** One run as lists show it. */
export type RunTableRow = {
  id: string;
  number: number;
  input: string;
  experimentName?: string;
  status: RunStatus;
  convergenceReason: StopReason | null;
  endedBy: EndedBy | null;
  success: boolean;
  versionCount: number;
  firstScore: number | null;
  bestScore: number | null;
  scores: (number | null)[];
  costUsd: number;
  unpriced: boolean;
  lessonCount: number;
};

type RunsTableProps = {
  rows: readonly RunTableRow[];
  named?: boolean;
  /** Where all were to come to; null where that differs. */
  threshold?: number | null;
};

/** Runs with their course and their end; `named` says of which experiment each is. Of a long list only those in sight are drawn. */
export function RunsTable({ rows, named = false, threshold = null }: RunsTableProps) {
  return (
    <ScrollX label="Runs">
      <table className="t hover edge runs" data-testid="runs" aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col" className="opt">
              Run
            </th>
            <th scope="col" className="lp">
              Case
            </th>
            <th scope="col">Status</th>
            <th scope="col" className="num opt">
              Versions
            </th>
            <th scope="col" className="opt">
              Scores
            </th>
            <th scope="col" className="num rp">
              <span className="opt">First → b</span>
              <span className="narrow-only" aria-hidden>
                B
              </span>
              est
            </th>
            <th scope="col" className="opt">
              Stopped by
            </th>
            <th scope="col" className="num opt opt2">
              Lessons
            </th>
            <th scope="col" className="num opt">
              Cost
            </th>
          </tr>
        </thead>
        <VirtualRows
          count={rows.length}
          rowHeight={35}
          keyOf={(index) => rows[index]?.id ?? index}
          cells={(index) => {
            const row = rows[index];
            return row ? <RunCells row={row} named={named} threshold={threshold} /> : null;
          }}
        />
      </table>
    </ScrollX>
  );
}

type RunCellsProps = { row: RunTableRow; named: boolean; threshold: number | null };

function RunCells({ row, named, threshold }: RunCellsProps) {
  return (
    <>
      <td className="faint mono sm opt">{formatRunNumber(row.number)}</td>
      <td className="wrap-anywhere lp">
        <Link className="md5" href={`/runs/${row.id}`}>
          {formatTitle(row.input, 90) || 'An empty case'}
        </Link>
        {named ? <span className="sm faint"> {row.experimentName}</span> : null}
      </td>
      <td>
        <RunStatusBadge status={row.status} success={row.success} />
      </td>
      <td className="num opt">{row.versionCount}</td>
      <td className="opt">
        <Sparkline scores={row.scores} threshold={threshold} />
      </td>
      <td className="num nw rp">
        {row.bestScore === null ? (
          <span className="faint">–</span>
        ) : (
          <>
            <span className="faint opt">{formatScore(row.firstScore)} →</span> <b>{formatScore(row.bestScore)}</b>
          </>
        )}
      </td>
      <td className="sm opt">{row.convergenceReason ? stopNameBy(row.convergenceReason, row.endedBy) : ''}</td>
      <td className="num opt opt2">{row.lessonCount}</td>
      <td className="num opt sm">{formatCost(row.costUsd, row.unpriced)}</td>
    </>
  );
}
