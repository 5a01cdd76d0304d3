import type { ReactNode } from 'react';
import { Pager } from '#components/layout/pager.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { RunStatus } from '#lib/core/run-record.ts';
import type { RunFilter } from './run-filter.ts';
import { RunsTable, type RunTableRow } from './runs-table.tsx';
import { StatusFilter } from './status-filter.tsx';

type RunsPaneProps = {
  path: string;
  batch: { id: string; total: number; counts: Record<RunStatus, number>; succeeded: number };
  runs: { items: readonly RunTableRow[]; nextCursor: string | null };
  filter: RunFilter;
  cursor: string | null;
  threshold: number;
  /** What can be done with the runs shown: stands at the end of the head. */
  actions?: ReactNode;
};

/** The runs of a batch, all or those of one outcome or status. */
export function RunsPane({ path, batch, runs, filter, cursor, threshold, actions }: RunsPaneProps) {
  const params = { batch: batch.id, status: filter.show, reason: filter.reason };
  return (
    <section className="min-w-0">
      <Pane className="border-b-0 pb-2">
        <PaneHeader className="mb-0">
          <h2>Runs</h2>
          <StatusFilter path={path} batch={batch} filter={filter} />
          {actions ? <span className="ml-auto flex items-center gap-2">{actions}</span> : null}
        </PaneHeader>
      </Pane>
      {runs.items.length > 0 ? (
        <RunsTable
          key={`${batch.id} ${filter.show} ${filter.reason} ${cursor}`}
          rows={runs.items}
          threshold={threshold}
        />
      ) : (
        <Pane asChild className="border-b-0 pt-0 text-ink-2">
          <p>None of these.</p>
        </Pane>
      )}
      <Pager path={path} params={params} cursor={cursor} nextCursor={runs.nextCursor} />
    </section>
  );
}
