import type { ReactNode } from 'react';
import { Pager } from '#components/shell/pager.tsx';
import type { RunStatus } from '#lib/reflection/run-record.ts';
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
      <div className="pane border-b-0 pb-2">
        <div className="ph mb-0">
          <h2>Runs</h2>
          <StatusFilter path={path} batch={batch} filter={filter} />
          {actions ? <span className="row end">{actions}</span> : null}
        </div>
      </div>
      {runs.items.length > 0 ? (
        <RunsTable
          key={`${batch.id} ${filter.show} ${filter.reason} ${cursor}`}
          rows={runs.items}
          threshold={threshold}
        />
      ) : (
        <p className="pane muted border-b-0 pt-0">None of these.</p>
      )}
      <Pager path={path} params={params} cursor={cursor} nextCursor={runs.nextCursor} />
    </section>
  );
}
