import type { InboxItem } from '#lib/inbox/queries.ts';

type Candidate = Pick<InboxItem, 'id' | 'claim'>;

/**
 * Returns the next item not claimed by someone else, wrapping around at the end. Null if there is none. Starts at the top if `from` is no
 * longer listed.
 */
export function nextItem(items: readonly Candidate[], from: string | null): string | null {
  const index = items.findIndex(({ id }) => id === from);
  const inTurn = [...items.slice(index + 1), ...items.slice(0, Math.max(0, index))];
  return inTurn.find(({ claim }) => claim === null || claim.who === 'you')?.id ?? null;
}
