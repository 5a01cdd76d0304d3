import type { InboxItem } from '#lib/inbox/inbox-item.ts';

type Candidate = Pick<InboxItem, 'id' | 'claim'>;

/**
 * The item that comes by itself after another one, from the top after the last: the first that nobody else is on. Null where there is
 * none. `from` need not be listed any more: then the search begins at the top.
 */
export function nextItem(items: readonly Candidate[], from: string | null): string | null {
  const place = items.findIndex(({ id }) => id === from);
  const inTurn = [...items.slice(place + 1), ...items.slice(0, Math.max(0, place))];
  return inTurn.find(({ claim }) => claim === null || claim.who === 'you')?.id ?? null;
}

/** The item a step up or down the list, whoever is on it; null at its ends. Where the one before is not listed, the first. */
export function neighbourItem(items: readonly Candidate[], from: string | null, step: 1 | -1): string | null {
  const place = items.findIndex(({ id }) => id === from);
  return items[place === -1 ? 0 : place + step]?.id ?? null;
}
