import { Pager } from '#components/shell/pager.tsx';
import type { RunStatus } from '#lib/reflection/run-record.ts';
import { RunsTable, type RunTableRow } from './runs-table.tsx';
import { StatusFilter } from './status-filter.tsx';

type RunsPaneProps = {
  path: string;
  batch: { id: string; total: number; counts: Record<RunStatus, number> };
  runs: { items: readonly RunTableRow[]; nextCursor: string | null };
  status: RunStatus | null;
  cursor: string | null;
};

/** The runs of a batch, all or those of one status. */
export function RunsPane({ path, batch, runs, status, cursor }: RunsPaneProps) {
  return (
    <section className="min-w-0">
      <div className="pane border-b-0 pb-2">
        <div className="ph mb-0">
          <h2>Runs</h2>
          <StatusFilter path={path} batch={batch.id} counts={batch.counts} total={batch.total} chosen={status} />
        </div>
      </div>
      {runs.items.length > 0 ? (
        <RunsTable key={`${batch.id} ${status} ${cursor}`} rows={runs.items} />
      ) : (
        <p className="pane muted border-b-0 pt-0">None of these.</p>
      )}
      <Pager path={path} params={{ batch: batch.id, status }} cursor={cursor} nextCursor={runs.nextCursor} />
    </section>
  );
}
