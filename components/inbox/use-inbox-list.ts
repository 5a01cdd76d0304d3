import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { callApi, readApi } from '#components/api/call-api.ts';
import { WAITING_COUNT } from '#components/layout/nav-links.tsx';
import { pastDecisionLabel } from '#components/run/decision-labels.ts';
import { type DecisionInput, decideOnRun } from '#components/run/run-actions.ts';
import { createsVersion, isAboutScores, unreachable } from '#components/run/use-run-answer.ts';
import { useDecided } from '#components/ui/decided-list.tsx';
import type { Problem, Result } from '#lib/core/problem.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { formatTitle } from '#lib/format.ts';
import type { Inbox, InboxClaim } from '#lib/inbox/queries.ts';
import { fetchInbox, INBOX_PAGE, INBOX_STEP } from './fetch-inbox.ts';
import { decisionKey } from './past-decisions.ts';
import type { InboxFilter } from './use-inbox-state.ts';

/** Poll interval of the list, in milliseconds. Claims change often. */
const POLL_INTERVAL_MS = 4_000;

/** Data sent with the page, and the filter it was loaded with. */
export type InitialInbox = { filter: InboxFilter; inbox: Inbox };

/**
 * Polls the filtered list. `inbox`: undefined until loaded. `isRead`: true once it was loaded for this window. `refresh` also refetches the
 * count in the navigation. `readMore` loads more, up to one page. It is null if nothing remains or the page is full.
 */
export function useInboxList(filter: InboxFilter, windowId: string | null, initial: InitialInbox) {
  const queryClient = useQueryClient();
  const [limit, setLimit] = useState(INBOX_STEP);
  const { data, dataUpdatedAt, isError, refetch } = useQuery({
    queryKey: ['inbox', filter],
    queryFn: ({ signal }) => (windowId === null ? initial.inbox : fetchInbox(filter, windowId, limit, signal)),
    enabled: windowId !== null,
    refetchInterval: POLL_INTERVAL_MS,
    refetchOnWindowFocus: true,
    ...(JSON.stringify(filter) === JSON.stringify(initial.filter)
      ? { initialData: initial.inbox, initialDataUpdatedAt: 0 }
      : {}),
  });
  useEffect(() => {
    if (limit > INBOX_STEP) void refetch();
  }, [limit, refetch]);
  const hasMore = data !== undefined && data.nextCursor !== null && limit < INBOX_PAGE;
  const isReadSoFar = hasMore && data.items.length >= limit;
  const readMore = useCallback(() => {
    if (isReadSoFar) setLimit(limit + INBOX_STEP);
  }, [isReadSoFar, limit]);
  const refresh = useCallback(() => {
    void queryClient.invalidateQueries({ queryKey: ['inbox'] });
    void queryClient.invalidateQueries({ queryKey: WAITING_COUNT });
  }, [queryClient]);
  return {
    inbox: data,
    isRead: data !== undefined && dataUpdatedAt > 0,
    isError,
    refresh,
    readMore: hasMore ? readMore : null,
  };
}

/** Interval of claim renewals, in milliseconds. A claim expires after two minutes. */
const RENEW_MS = 15_000;

/** Claims are sent sequentially, so that an earlier item's claim cannot arrive after a later one. */
let sending: Promise<unknown> = Promise.resolve();

/**
 * Claims an item for this window while it is shown, and returns who claimed it first. Null while unknown or if the run does not wait.
 * Selecting another item moves the claim; leaving the page releases it.
 */
export function useClaim(runId: string | null, windowId: string | null): InboxClaim | null {
  const queryClient = useQueryClient();
  const { data = null } = useQuery({
    queryKey: ['inbox-claim', runId],
    queryFn: () => (runId === null || windowId === null ? null : claim(runId, windowId)),
    enabled: runId !== null && windowId !== null,
    refetchInterval: RENEW_MS,
    refetchOnWindowFocus: true,
    retry: false,
    gcTime: 0,
  });
  useEffect(() => {
    // Refetch, because the list shows claims and this window just made one.
    if (data !== null) void queryClient.invalidateQueries({ queryKey: ['inbox'] });
  }, [data, queryClient]);
  const claimed = useRef<{ runId: string; windowId: string } | null>(null);
  useEffect(() => {
    if (runId === null || windowId === null) {
      if (claimed.current !== null) release(claimed.current);
      claimed.current = null;
    } else claimed.current = { runId, windowId };
  }, [runId, windowId]);
  useEffect(() => {
    const leave = () => {
      if (claimed.current !== null) release(claimed.current);
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

/** Sent even while the page closes. If it is lost, the claim expires. */
function release({ runId, windowId }: { runId: string; windowId: string }): void {
  const windowRequest = { params: { id: runId }, query: { window: windowId } };
  void callApi('DELETE /api/v1/runs/{id}/claim', { ...windowRequest, keepalive: true });
}

type ItemDecisionsOptions = { chosen: string | null; onDecided: () => void };

/**
 * Sends decisions, even after another item is selected. Keeps the decisions of this window, the recent ones, and errors of items already
 * left.
 */
export function useItemDecisions({ chosen, onDecided }: ItemDecisionsOptions) {
  const decidedHere = useRef(new Set<string>());
  const present = useRef(chosen);
  present.current = chosen;
  const { decided, addDecided } = useDecided();
  const [refused, setRefused] = useState<{ title: string; problem: Problem } | null>(null);

  async function decideOn(run: Pick<RunRecord, 'id' | 'case'>, input: DecisionInput): Promise<Result<unknown>> {
    const title = formatTitle(run.case.input, 90) || 'An empty case';
    const key = decisionKey(run.id, input);
    // The first decision wins, even while it is still being sent.
    const isFirst = !decidedHere.current.has(key);
    // Add before sending, because the run's update may arrive before the response.
    decidedHere.current.add(key);
    const result = await decideOnRun(run.id, input).catch(unreachable);
    if (!result.ok) {
      if (isFirst) decidedHere.current.delete(key);
      // If the item is still open, it shows the error and keeps the draft.
      if (present.current !== run.id) setRefused({ title, problem: result.problem });
    } else if (!createsVersion(input) && !isAboutScores(input)) {
      addDecided({ href: `/runs/${run.id}`, title, label: pastDecisionLabel(input) });
    }
    onDecided();
    return result;
  }

  return { decideOn, decidedHere: decidedHere.current, decided, refused, forgetRefused: () => setRefused(null) };
}
