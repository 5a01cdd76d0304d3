import { Check, type LucideIcon, Pause, X } from 'lucide-react';
import { address, Pager } from '#components/layout/pager.tsx';
import { stopNameBy } from '#components/run/stop-reason-labels.ts';
import { Link } from '#components/ui/link.tsx';
import { Pane, PaneHeader, PaneNote } from '#components/ui/pane.tsx';
import { SegmentedLinks } from '#components/ui/segmented-links.tsx';
import type { RunStatus } from '#lib/core/run-statuses.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { stopName } from '#lib/core/stop-reasons.ts';
import { formatCount } from '#lib/format.ts';
import { isImportedRun } from '#lib/models/imported-runs.ts';
import type { RunRow } from '#lib/runs/list-runs.ts';
import type { RunFilter } from './run-filter.ts';
import { RunsTable, type RunTableRow } from './runs-table.tsx';

type RunsPaneProps = {
  path: string;
  batch: { id: string; total: number; counts: Record<RunStatus, number>; succeeded: number };
  runs: { items: readonly RunRow[]; nextCursor: string | null };
  filter: RunFilter;
  cursor: string | null;
  settings: ExperimentSettings;
};

/** Lists the runs of a batch, optionally filtered by outcome or status. */
export function RunsPane({ path, batch, runs, filter, cursor, settings }: RunsPaneProps) {
  const params = { batch: batch.id, status: filter.show, reason: filter.reason };
  return (
    <section className="min-w-0" aria-labelledby="runs">
      <Pane className="border-b-0 pb-2">
        <PaneHeader titleId="runs" title="Runs" className="mb-0">
          <StatusFilter path={path} batch={batch} filter={filter} isImported={isImportedRun(settings)} />
        </PaneHeader>
      </Pane>
      {runs.items.length > 0 ? (
        <RunsTable
          key={`${batch.id} ${filter.show} ${filter.reason} ${cursor}`}
          rows={runs.items.map(toRunTableRow)}
          threshold={settings.qualityThreshold}
        />
      ) : (
        <PaneNote className="pt-0">None of these.</PaneNote>
      )}
      <Pager path={path} params={params} cursor={cursor} nextCursor={runs.nextCursor} at="runs" />
    </section>
  );
}

/** Returns a run as a row. Names the stop reason here, because its labels are much code for a browser. */
export function toRunTableRow({ convergenceReason: reason, endedBy, imported, ...run }: RunRow): RunTableRow {
  return { ...run, stoppedBy: reason === null ? '' : stopNameBy(reason, endedBy, imported) };
}

type StatusFilterProps = Pick<RunsPaneProps, 'path' | 'batch' | 'filter'> & { isImported: boolean };

/** Filters runs by outcome or status. Offers only values that occur. */
function StatusFilter({ path, batch, filter, isImported }: StatusFilterProps) {
  const offered = choicesOf(batch).filter(({ show, count }) => count > 0 || show === filter.show);
  const isAll = filter.show === null && filter.reason === null;
  if (offered.length < 2 && isAll) return <span className="text-ink-3 text-sm">{formatCount(batch.total)}</span>;
  return (
    <SegmentedLinks aria-label="Status">
      <Link href={address(path, { batch: batch.id })} aria-current={isAll ? 'true' : undefined} scroll={false}>
        All {formatCount(batch.total)}
      </Link>
      {offered.map(({ show, count }) => (
        <Link
          key={show}
          href={address(path, { batch: batch.id, status: show })}
          aria-current={filter.show === show ? 'true' : undefined}
          scroll={false}
        >
          <Glyph show={show} />
          {show} {formatCount(count)}
        </Link>
      ))}
      {filter.reason === null ? null : (
        <Link
          href={address(path, { batch: batch.id, status: filter.show, reason: filter.reason })}
          aria-current="true"
          scroll={false}
        >
          stopped by {stopName(filter.reason, isImported)}
        </Link>
      )}
    </SegmentedLinks>
  );
}

type Shown = NonNullable<RunFilter['show']>;

/** Finished runs are split by outcome. */
function choicesOf({ counts, succeeded }: StatusFilterProps['batch']): { show: Shown; count: number }[] {
  return [
    { show: 'solved', count: succeeded },
    { show: 'unsolved', count: counts.finished - succeeded },
    ...UNFINISHED.map((status) => ({ show: status, count: counts[status] })),
  ];
}

/** Other statuses, in display order. */
const UNFINISHED = ['waiting', 'running', 'queued', 'failed', 'stopped'] as const satisfies readonly RunStatus[];

const GLYPHS: Partial<Record<Shown, LucideIcon>> = { solved: Check, unsolved: X, waiting: Pause };

function Glyph({ show }: { show: Shown }) {
  const Icon = GLYPHS[show];
  return Icon ? <Icon /> : null;
}
