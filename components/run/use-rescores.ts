import { useQuery, useQueryClient } from '@tanstack/react-query';
import { readApi } from '#components/api/call-api.ts';
import type { RescoreReport } from '#lib/statistics/rescore-report.ts';

const POLL_MS = 1_000;

/** How a run's re-scores stand; read anew every second while some are still to come. */
export function useRescores(
  runId: string,
  initial: RescoreReport[],
): { reports: RescoreReport[]; refresh: () => void } {
  const queryClient = useQueryClient();
  const queryKey = ['rescores', runId];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await readApi('GET /api/v1/runs/{id}/rescores', { params: { id: runId }, signal })).items,
    initialData: initial,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => ((state.data ?? initial).some(({ waiting }) => waiting > 0) ? POLL_MS : false),
  });
  return { reports: data, refresh: () => void queryClient.invalidateQueries({ queryKey }) };
}
