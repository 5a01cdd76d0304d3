import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { WAITING_COUNT } from '#components/layout/use-waiting-count.ts';
import type { Inbox } from '#lib/inbox/inbox-item.ts';
import { fetchInbox, INBOX_PAGE, INBOX_STEP } from './fetch-inbox.ts';
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
