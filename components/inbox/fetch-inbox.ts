import { readApi } from '#components/api/call-api.ts';
import type { Inbox } from '#lib/inbox/queries.ts';
import type { InboxFilter } from './use-inbox-state.ts';

/** Number of items loaded initially and with each scroll near the end. */
export const INBOX_STEP = 25;
/** Maximum number of items on one page of the list. */
export const INBOX_PAGE = 200;

/** Fetches the waiting items for this window. Throws on any error. */
export function fetchInbox(filter: InboxFilter, windowId: string, limit: number, signal: AbortSignal): Promise<Inbox> {
  const { kind, experiment, whose, cursor } = filter;
  const query = { scope: whose, window: windowId, limit, kind, experimentId: experiment, cursor };
  return readApi('GET /api/v1/inbox', { query, signal });
}
