import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi, readApi } from '#components/api/call-api.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { RetrospectiveRecord } from '#lib/lessons/retrospectives/schema.ts';

const POLL_MS = 1_000;

/** The looks back over a run, read anew every second while one is being made; undefined until they were first read. */
export function useRetrospectives(runId: string): {
  retrospectives: RetrospectiveRecord[] | undefined;
  ask: () => Promise<Result<null>>;
} {
  const queryClient = useQueryClient();
  const queryKey = ['retrospectives', runId];
  const params = { id: runId };
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await readApi('GET /api/v1/runs/{id}/retrospectives', { params, signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'waiting') ? POLL_MS : false),
  });
  const ask = async (): Promise<Result<null>> => {
    const asked = await callApi('POST /api/v1/runs/{id}/retrospective', { params });
    await queryClient.invalidateQueries({ queryKey });
    return asked.ok ? succeed(null) : asked;
  };
  return { retrospectives: data, ask };
}
