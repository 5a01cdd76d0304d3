'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { callApi } from '#components/api/call-api.ts';
import { ColumnHead, NumberCell, NumberHead, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import { useDebounced } from '#components/ui/timers.ts';
import type { RunEstimate as Estimate } from '#lib/estimates/estimate-run.ts';
import { formatNumberOf } from '#lib/format.ts';
import { estimateNotes, estimateRows } from './estimate-labels.ts';

/** Debounce of estimate requests, in milliseconds. */
const ESTIMATE_DEBOUNCE_MS = 400;

type RunEstimateProps = {
  /** Experiment whose settings count. Null if the request contains the settings. */
  experimentId: string | null;
  /** Changes if the stored settings change. */
  version?: number;
  /** Request as JSON. Null if there is nothing to estimate yet. */
  input: string | null;
  /** Text shown if the request is invalid. */
  refused?: string;
};

/**
 * Shows the estimate before runs are started, refreshed after the form changes. It never blocks the start. Uses the API, because a server
 * action that begins while the page is left would hold back the next page.
 */
export function RunEstimate({ experimentId, version, input, refused }: RunEstimateProps) {
  const debounced = useDebounced(input, ESTIMATE_DEBOUNCE_MS);
  const { data } = useQuery({
    queryKey: ['estimate', experimentId, version, debounced],
    enabled: debounced !== null,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const body = JSON.parse(debounced ?? '{}');
      return experimentId === null
        ? callApi('POST /api/v1/experiments/estimate', { body, signal })
        : callApi('POST /api/v1/experiments/{id}/estimate', { params: { id: experimentId }, body, signal });
    },
  });
  if (input === null) return null;
  // Placeholder with the approximate height of an estimate, to avoid layout shift.
  if (data === undefined) return <div className="min-h-56" aria-hidden />;
  if (data.ok) return <EstimateTable estimate={data.value} />;
  return refused === undefined ? null : <p className="text-ink-2 text-sm">{refused}</p>;
}

/** Shows the lowest and highest estimate of runs, with its basis. */
export function EstimateTable({ estimate }: { estimate: Estimate }) {
  const { runs, practice, warnings } = estimate;
  return (
    <div data-testid="estimate" className="max-w-2xl">
      {warnings.map(({ field, message }) => (
        <p key={`${field} ${message}`} className="wrap-anywhere mb-2 text-sm" data-testid="settings-warning">
          <TriangleAlert /> {message}
        </p>
      ))}
      <Table isTight>
        <caption className="sr-only">What {formatNumberOf(runs, 'run')} may take</caption>
        <TableHead>
          <ColumnHead>Before you run</ColumnHead>
          <NumberHead>Lowest</NumberHead>
          <NumberHead>Highest</NumberHead>
        </TableHead>
        <tbody>
          {estimateRows(estimate).map(({ name, lowest, highest }) => (
            <tr key={name}>
              <RowHead>{name}</RowHead>
              <NumberCell>{lowest}</NumberCell>
              <NumberCell>{highest}</NumberCell>
            </tr>
          ))}
        </tbody>
      </Table>
      <div className="mt-2 flex flex-col gap-1 text-ink-2 text-sm">
        <p>
          {formatNumberOf(runs, 'run')}. Lowest: every first version passes. Highest: every run reaches its cap.
          Repeated requests add to it{practice ? '. Practice prices are made up' : ''}.
        </p>
        {estimateNotes(estimate).map((note) => (
          <p key={note} className="wrap-anywhere">
            {note}
          </p>
        ))}
      </div>
    </div>
  );
}
