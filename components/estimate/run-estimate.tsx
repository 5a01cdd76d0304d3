'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { askApi } from '#components/lessons/ask-api.ts';
import { useSettled } from '#components/ui/use-settled.ts';
import { runEstimateSchema } from '#lib/reflection/run-estimate.ts';
import { EstimateTable } from './estimate-table.tsx';

/** How long nothing may have changed before an estimate is asked for, in milliseconds. */
const SETTLED_MS = 400;

type RunEstimateProps = {
  /** A route of the API that estimates, such as `/experiments/{id}/estimate`. */
  path: string;
  /** What it is asked with, as JSON; null while there is nothing to ask. */
  body: string | null;
  /** What stands here while the request is refused. */
  refused?: string;
};

/** What runs may take before they are started, asked anew whenever the form has come to rest. It never keeps anybody from starting. */
export function RunEstimate({ path, body, refused }: RunEstimateProps) {
  const asked = useSettled(body, SETTLED_MS);
  const { data } = useQuery({
    queryKey: ['estimate', path, asked],
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => askApi(path, runEstimateSchema, { body: JSON.parse(asked ?? '{}'), signal }),
  });
  if (body === null || data === undefined) return null;
  if (data.ok) return <EstimateTable estimate={data.value} />;
  return refused === undefined ? null : <p className="sm muted">{refused}</p>;
}
