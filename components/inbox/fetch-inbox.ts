import { type Inbox, type InboxRun, inboxRunSchema, inboxSchema } from '#lib/reflection/inbox-item.ts';
import type { InboxFilter } from './use-inbox-state.ts';

/** Items that are read at first, and then as the end of those comes near. */
export const INBOX_STEP = 50;
/** Most items on one page of the list. */
export const INBOX_PAGE = 200;

/** What waits, as this window sees it. Throws where the app does not answer with it. */
export async function fetchInbox(
  filter: InboxFilter,
  windowId: string,
  limit: number,
  signal: AbortSignal,
): Promise<Inbox> {
  const query = new URLSearchParams({ scope: filter.whose, window: windowId, limit: String(limit) });
  if (filter.kind !== null) query.set('kind', filter.kind);
  if (filter.experiment !== null) query.set('experimentId', filter.experiment);
  if (filter.cursor !== null) query.set('cursor', filter.cursor);
  const response = await fetch(`/api/v1/inbox?${query}`, { signal, cache: 'no-store' });
  if (!response.ok) throw new Error(`The inbox could not be read (${response.status}).`);
  return inboxSchema.parse(await response.json());
}

/** A run with its settings; null where there is none of this id. Throws where the app does not answer. */
export async function fetchInboxRun(runId: string, signal: AbortSignal): Promise<InboxRun | null> {
  const response = await fetch(`/api/v1/inbox/${encodeURIComponent(runId)}`, { signal, cache: 'no-store' });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`The run could not be read (${response.status}).`);
  return inboxRunSchema.parse(await response.json());
}
