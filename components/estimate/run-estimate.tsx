'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { toActionFailure } from '#components/access/to-action-failure.ts';
import { useDebounced } from '#components/ui/timers.ts';
import type { Result } from '#lib/core/problem.ts';
import type { RunEstimate as Estimate } from '#lib/estimates/run-estimate.ts';
import { EstimateTable } from './estimate-table.tsx';

/** Estimates calls, tokens, cost and time of runs. Fails if the request is invalid. */
export type EstimateRuns = (input: unknown) => Promise<Result<Estimate>>;

/** Debounce of estimate requests, in milliseconds. */
const ESTIMATE_DEBOUNCE_MS = 400;

type RunEstimateProps = {
  estimate: EstimateRuns;
  /** Cache key of the estimate, so that two forms do not share results. */
  of: string;
  /** Request as JSON. Null if there is nothing to estimate yet. */
  input: string | null;
  /** Text shown if the request is invalid. */
  refused?: string;
};

/** Shows the estimate before runs are started, refreshed after the form changes. It never blocks the start. */
export function RunEstimate({ estimate, of, input, refused }: RunEstimateProps) {
  const debounced = useDebounced(input, ESTIMATE_DEBOUNCE_MS);
  const { data } = useQuery({
    queryKey: ['estimate', of, debounced],
    enabled: debounced !== null,
    placeholderData: keepPreviousData,
    queryFn: () =>
      estimate(JSON.parse(debounced ?? '{}')).catch((error: unknown) =>
        toActionFailure(error, 'Hone did not answer. Try again.'),
      ),
  });
  if (input === null) return null;
  // Placeholder with the approximate height of an estimate, to avoid layout shift.
  if (data === undefined) return <div className="min-h-56" aria-hidden />;
  if (data.ok) return <EstimateTable estimate={data.value} />;
  return refused === undefined ? null : <p className="text-ink-2 text-sm">{refused}</p>;
}
