import { useQuery } from '@tanstack/react-query';
import { readApi } from '#components/api/call-api.ts';
import type { TargetView } from '#lib/targets/schema.ts';

/** Interval of checks for connected processes, in milliseconds. */
const POLL_MS = 5_000;
/** Interval of checks while the page waits for an app to connect, in milliseconds. */
const WAIT_POLL_MS = 2_000;

/** Returns the current targets. Until the first check, these are `initial`. */
export function useTargets(initial: TargetView[]): TargetView[] {
  const { data } = useQuery({
    queryKey: ['targets', initial],
    queryFn: readTargets,
    initialData: initial,
    refetchInterval: POLL_MS,
  });
  return data;
}

/** Returns the names of the connected targets. Until the first check, these are `before`. */
export function useConnectedTargets(before: readonly string[]): readonly string[] {
  const { data = before } = useQuery({
    queryKey: ['targets', 'connected'],
    queryFn: async (context) =>
      (await readTargets(context)).filter(({ workers }) => workers.length > 0).map(({ name }) => name),
    refetchInterval: WAIT_POLL_MS,
  });
  return data;
}

/** Throws on an error response, so that the query keeps its last result. */
async function readTargets({ signal }: { signal: AbortSignal }): Promise<TargetView[]> {
  return (await readApi('GET /api/v1/targets', { signal })).items;
}
