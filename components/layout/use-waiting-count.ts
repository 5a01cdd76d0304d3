import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type ApiAnswer, readApi } from '#components/api/call-api.ts';

/** How often it is asked for, in milliseconds. */
const EVERY_MS = 10_000;

/** How many runs wait for a person, kept fresh also while the window is not seen: its title says it. `known` is what it is to begin with. */
export function useWaitingCount(known?: number): number {
  return useCounts()?.waiting ?? known ?? 0;
}

/** How many lessons wait for a review. `known` is what it is to begin with. */
export function useLessonsToReview(known?: number): number {
  return useCounts()?.lessonsToReview ?? known ?? 0;
}

/** How much of what waits the person was asked to look at; null until it is known. */
export function useAssignedCount(): { runs: number; lessons: number } | null {
  return useCounts()?.assigned ?? null;
}

function useCounts(): ApiAnswer<'GET /api/v1/inbox/count'> | undefined {
  const { data } = useQuery({
    queryKey: WAITING_COUNT,
    queryFn: ({ signal }) => readApi('GET /api/v1/inbox/count', { signal }),
    refetchInterval: EVERY_MS,
    refetchIntervalInBackground: true,
    retry: false,
  });
  // A part of the page that is brought to life later than another must first say what the server said.
  const isAlive = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
  return isAlive ? data : undefined;
}

/** The key under which the counts are kept: invalidate it when something was decided. */
export const WAITING_COUNT = ['waiting-count'];
