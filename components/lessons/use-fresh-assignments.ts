import { useEffect, useRef } from 'react';
import { useAssignedCount } from '#components/layout/use-waiting-count.ts';

/**
 * Asks for the page anew once the count of lessons that one was asked to look at, which is kept live, is another than the page shows.
 * `shown`: how many it shows.
 */
export function useFreshAssignments({ shown, refresh }: { shown: number; refresh: () => void }): void {
  const live = useAssignedCount()?.lessons ?? null;
  const latest = useRef({ shown, refresh });
  latest.current = { shown, refresh };
  // By the count alone: what the page shows runs ahead of it after a verdict that was given here.
  useEffect(() => {
    if (live !== null && live !== latest.current.shown) latest.current.refresh();
  }, [live]);
}
