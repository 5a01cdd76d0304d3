import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { callApi, readApi } from '#components/api/call-api.ts';
import { WAITING_COUNT } from '#components/layout/use-waiting-count.ts';
import { doneLabel } from '#components/run/decision-labels.ts';
import type { DecisionInput } from '#components/run/run-actions.ts';
import { isAboutScores, isByHand, unreachable } from '#components/run/use-run-answer.ts';
import type { Problem, Result } from '#lib/core/problem.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { formatTitle } from '#lib/format.ts';
import type { Inbox, InboxClaim } from '#lib/inbox/inbox-item.ts';
import type { DecidedItem } from './decided-list.tsx';
import { fetchInbox, INBOX_PAGE, INBOX_STEP } from './fetch-inbox.ts';
import { decisionKey } from './said-here.ts';
import type { InboxFilter } from './use-inbox-state.ts';

/** How often the list is read anew, in milliseconds: what others are on changes all the time. */
const EVERY_MS = 4_000;

/** What the page came with, and for which part of the inbox. */
export type InitialInbox = { filter: InboxFilter; inbox: Inbox };

/**
 * The list by this filter, kept fresh; undefined until there is one, and `isRead` once it is as this window sees it. `refresh` also has the
 * count in the navigation read anew. `readMore` reads on up to a full page; null where there is no more, or the page is full.
 */
export function useInboxList(filter: InboxFilter, windowId: string | null, initial: InitialInbox) {
  const queryClient = useQueryClient();
  const [limit, setLimit] = useState(INBOX_STEP);
  const { data, dataUpdatedAt, isError, refetch } = useQuery({
    queryKey: ['inbox', filter],
    queryFn: ({ signal }) => (windowId === null ? initial.inbox : fetchInbox(filter, windowId, limit, signal)),
    enabled: windowId !== null,
    refetchInterval: EVERY_MS,
    refetchOnWindowFocus: true,
    ...(isSame(filter, initial.filter) ? { initialData: initial.inbox, initialDataUpdatedAt: 0 } : {}),
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

function isSame(one: InboxFilter, other: InboxFilter): boolean {
  return (
    one.kind === other.kind &&
    one.experiment === other.experiment &&
    one.whose === other.whose &&
    one.cursor === other.cursor
  );
}

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

/** How many are shown of what was decided here. */
const MOST_SHOWN = 5;

export type InboxDecide = (runId: string, input: DecisionInput) => Promise<Result<unknown>>;

type ItemDecisionsOptions = { decide: InboxDecide; chosen: string | null; onDecided: () => void };

/**
 * Sends what is said of items, whichever is looked at by then, and remembers it: what was said here, what was decided of late, and what
 * was refused after its item was left.
 */
export function useItemDecisions({ decide, chosen, onDecided }: ItemDecisionsOptions) {
  const said = useRef(new Set<string>());
  const present = useRef(chosen);
  present.current = chosen;
  const [decided, setDecided] = useState<{ latest: DecidedItem[]; count: number }>({ latest: [], count: 0 });
  const [refused, setRefused] = useState<{ title: string; problem: Problem } | null>(null);

  async function decideOn(run: Pick<RunRecord, 'id' | 'case'>, input: DecisionInput): Promise<Result<unknown>> {
    const title = formatTitle(run.case.input, 90) || 'An empty case';
    const key = decisionKey(run.id, input);
    // What was said first stands, also where it is on its way still.
    const isFirst = !said.current.has(key);
    // Before it is sent: the run may tell of it sooner than the answer comes.
    said.current.add(key);
    const result = await decide(run.id, input).catch(unreachable);
    if (!result.ok) {
      if (isFirst) said.current.delete(key);
      // Who still looks at the item is told there, and has the draft.
      if (present.current !== run.id) setRefused({ title, problem: result.problem });
    } else if (!isByHand(input) && !isAboutScores(input)) {
      const item = { runId: run.id, title, words: doneLabel(input), at: new Date().toISOString() };
      setDecided(({ latest, count }) => ({ latest: [item, ...latest].slice(0, MOST_SHOWN), count: count + 1 }));
    }
    onDecided();
    return result;
  }

  return { decideOn, said: said.current, decided, refused, forgetRefused: () => setRefused(null) };
}
