import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** Forgets what was read of a run once it is left: it is read anew when one comes back, for it may wait at another pause by then. */
export function useForgetRun(runId: string): void {
  const queryClient = useQueryClient();
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(leaving.current);
    return () => {
      leaving.current = setTimeout(() => {
        queryClient.removeQueries({ queryKey: ['inbox-run', runId] });
        queryClient.removeQueries({ queryKey: ['run', runId] });
      });
    };
  }, [queryClient, runId]);
}
