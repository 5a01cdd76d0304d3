import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type ApiAnswer, readApi } from '#components/api/call-api.ts';

/** Poll interval of the counts, in milliseconds. */
const POLL_INTERVAL_MS = 10_000;

/**
 * Returns the number of waiting runs. Polls also while the window is hidden, because its title shows the count. `known`: the initial value.
 */
export function useWaitingCount(known?: number): number {
  return useCounts()?.waiting ?? known ?? 0;
}

/** Returns the number of lessons waiting for review. `known`: the initial value. */
export function useLessonsToReview(known?: number): number {
  return useCounts()?.lessonsToReview ?? known ?? 0;
}

/** Returns how many waiting runs and lessons are assigned to the current user. Null until loaded. */
export function useAssignedCount(): { runs: number; lessons: number } | null {
  return useCounts()?.assigned ?? null;
}

function useCounts(): ApiAnswer<'GET /api/v1/inbox/count'> | undefined {
  const { data } = useQuery({
    queryKey: WAITING_COUNT,
    queryFn: ({ signal }) => readApi('GET /api/v1/inbox/count', { signal }),
    refetchInterval: POLL_INTERVAL_MS,
    refetchIntervalInBackground: true,
    retry: false,
  });
  // A component that hydrates later must first render the server's value.
  const isAlive = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
  return isAlive ? data : undefined;
}

/** Query key of the counts. Invalidate it after a decision. */
export const WAITING_COUNT = ['waiting-count'];
