import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readApi } from '#components/api/call-api.ts';
import type { ComparedCase } from '#lib/compare/schema.ts';

/** A case looked into: `unavailable` where Hone did not answer. */
export type CaseAnswer = { state: 'there'; look: ComparedCase } | { state: 'coming' } | { state: 'unavailable' };

/**
 * What the arms made of a case; `initial` is what came with the page. `next` are cases that are likely asked for next: they are fetched
 * beforehand.
 */
export function useComparedCase(
  arms: readonly string[],
  caseKey: string | null,
  initial: ComparedCase | null,
  next: readonly string[],
): CaseAnswer {
  const client = useQueryClient();
  const of = arms.join(',');
  const { data, isError } = useQuery({
    queryKey: ['compared-case', of, caseKey],
    queryFn: ({ signal }) => (caseKey === null ? null : fetchCase(of, caseKey, signal)),
    initialData: initial !== null && initial.caseKey === caseKey ? initial : undefined,
    enabled: caseKey !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const asked = next.join(',');
  useEffect(() => {
    for (const key of asked === '' ? [] : asked.split(','))
      void client.prefetchQuery({
        queryKey: ['compared-case', of, key],
        queryFn: ({ signal }) => fetchCase(of, key, signal),
        staleTime: Number.POSITIVE_INFINITY,
      });
  }, [client, of, asked]);
  if (data) return { state: 'there', look: data };
  return { state: isError ? 'unavailable' : 'coming' };
}

function fetchCase(of: string, caseKey: string, signal: AbortSignal): Promise<ComparedCase> {
  return readApi('GET /api/v1/compare/cases/{key}', { params: { key: caseKey }, query: { experimentIds: of }, signal });
}
