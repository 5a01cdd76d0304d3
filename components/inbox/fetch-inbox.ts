import { readApi } from '#components/api/call-api.ts';
import type { Inbox } from '#lib/inbox/inbox-item.ts';
import type { InboxFilter } from './use-inbox-state.ts';

/** Items that are read at first, and then as the end of those comes near. */
export const INBOX_STEP = 25;
/** Most items on one page of the list. */
export const INBOX_PAGE = 200;

/** What waits, as this window sees it. Throws where the app does not answer with it. */
export function fetchInbox(filter: InboxFilter, windowId: string, limit: number, signal: AbortSignal): Promise<Inbox> {
  const { kind, experiment, whose, cursor } = filter;
  const query = { scope: whose, window: windowId, limit, kind, experimentId: experiment, cursor };
  return readApi('GET /api/v1/inbox', { query, signal });
}
