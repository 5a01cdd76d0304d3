'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { refusalOf } from '#components/access/refusal-of.ts';
import { useSettled } from '#components/ui/timers.ts';
import type { Result } from '#lib/core/problem.ts';
import type { RunEstimate as Estimate } from '#lib/estimates/run-estimate.ts';
import { EstimateTable } from './estimate-table.tsx';

/** Works out what runs may take; refused where the request is not within its ranges. */
export type EstimateRuns = (input: unknown) => Promise<Result<Estimate>>;

/** How long nothing may have changed before an estimate is asked for, in milliseconds. */
const SETTLED_MS = 400;

type RunEstimateProps = {
  estimate: EstimateRuns;
  /** What is estimated: a name for it, so that two forms don't share their answers. */
  of: string;
  /** The request, as JSON; null while there is nothing to ask. */
  input: string | null;
  /** What stands here while the request is refused. */
  refused?: string;
};

/** What runs may take before they are started, asked anew whenever the form has come to rest. It never keeps anybody from starting. */
export function RunEstimate({ estimate, of, input, refused }: RunEstimateProps) {
  const asked = useSettled(input, SETTLED_MS);
  const { data } = useQuery({
    queryKey: ['estimate', of, asked],
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    queryFn: () =>
      estimate(JSON.parse(asked ?? '{}')).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Try again.'),
      ),
  });
  if (input === null) return null;
  // About as high as an estimate, so that the page does not move when it comes.
  if (data === undefined) return <div className="min-h-56" aria-hidden />;
  if (data.ok) return <EstimateTable estimate={data.value} />;
  return refused === undefined ? null : <p className="text-ink-2 text-sm">{refused}</p>;
}
