import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import type { RunRecord } from '#lib/core/run-record.ts';

/**
 * Reads the page anew once a run rests that went on since the page was read: warnings of calls and others that do not stand in its record.
 * `shownEvent`: the run's last event when the page was read.
 */
export function useFreshPage({ status, lastEvent }: RunRecord, shownEvent: number): void {
  const router = useRouter();
  const isBehind = lastEvent > shownEvent && status !== 'queued' && status !== 'running';
  useEffect(() => {
    if (isBehind) router.refresh();
  }, [isBehind, router]);
}
