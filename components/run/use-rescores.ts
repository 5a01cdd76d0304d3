import { useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { type RescoreReport, rescoreReportSchema } from '#lib/measures/rescore-report.ts';

const POLL_MS = 1_000;
const answerSchema = z.object({ items: z.array(rescoreReportSchema) });

/** How a run's re-scores stand; read anew every second while some are still to come. */
export function useRescores(
  runId: string,
  initial: RescoreReport[],
): { reports: RescoreReport[]; refresh: () => void } {
  const queryClient = useQueryClient();
  const queryKey = ['rescores', runId];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchRescores(runId, signal),
    initialData: initial,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => ((state.data ?? initial).some(({ waiting }) => waiting > 0) ? POLL_MS : false),
  });
  return { reports: data, refresh: () => void queryClient.invalidateQueries({ queryKey }) };
}

async function fetchRescores(runId: string, signal: AbortSignal): Promise<RescoreReport[]> {
  const response = await fetch(`/api/v1/runs/${encodeURIComponent(runId)}/rescores`, { signal, cache: 'no-store' });
  if (!response.ok) throw new Error(`The re-scores could not be read (${response.status}).`);
  return answerSchema.parse(await response.json()).items;
}
