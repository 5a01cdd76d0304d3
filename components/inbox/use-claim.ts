import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { callApi, readApi } from '#components/api/call-api.ts';
import type { InboxClaim } from '#lib/inbox/inbox-item.ts';

/** How often a claim is renewed, in milliseconds; it holds for two minutes. */
const RENEW_MS = 15_000;

/** One after the other: a claim of the item before must not come in after that of this one. */
let sending: Promise<unknown> = Promise.resolve();

/**
 * Tells others that this window is on an item, for as long as it is seen, and answers who was first on it; null while that is not known
 * and where the run does not wait. Another item takes the place of the one before; leaving the page gives it back.
 */
export function useClaim(runId: string | null, windowId: string | null): InboxClaim | null {
  const { data = null } = useQuery({
    queryKey: ['inbox-claim', runId],
    queryFn: () => (runId === null || windowId === null ? null : claim(runId, windowId)),
    enabled: runId !== null && windowId !== null,
    refetchInterval: RENEW_MS,
    refetchOnWindowFocus: true,
    retry: false,
    gcTime: 0,
  });
  const held = useRef<{ runId: string; windowId: string } | null>(null);
  useEffect(() => {
    if (runId === null || windowId === null) {
      if (held.current !== null) release(held.current);
      held.current = null;
    } else held.current = { runId, windowId };
  }, [runId, windowId]);
  useEffect(() => {
    const leave = () => {
      if (held.current !== null) release(held.current);
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  return data;
}

function claim(runId: string, windowId: string): Promise<InboxClaim | null> {
  const sent = sending.then(async () => {
    const taken = await readApi('POST /api/v1/runs/{id}/claim', { params: { id: runId }, body: { window: windowId } });
    return taken.claim;
  });
  sending = sent.catch(() => undefined);
  return sent;
}

/** Goes out also while the page closes; where it is lost the claim runs out by itself. */
function release({ runId, windowId }: { runId: string; windowId: string }): void {
  const place = { params: { id: runId }, query: { window: windowId } };
  void callApi('DELETE /api/v1/runs/{id}/claim', { ...place, keepalive: true });
}
