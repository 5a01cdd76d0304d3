/** One page of a list, and where the next begins; null at the end. */
export type Page<Item> = { items: Item[]; nextCursor: string | null };

/** Cuts a page out of `limit + 1` rows. */
export function pageOf<Item>(rows: Item[], limit: number, cursorOf: (item: Item) => string): Page<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** A cursor over (time, id), newest first; null for what is no such cursor. */
export function readTimeCursor(cursor: string | null): { at: Date; id: string } | null {
  const match = cursor?.match(/^(\d{1,15})_([0-9a-f-]{36})$/);
  return match?.[1] === undefined || match[2] === undefined ? null : { at: new Date(Number(match[1])), id: match[2] };
}

export function timeCursor(item: { createdAt: string; id: string }): string {
  return `${Date.parse(item.createdAt)}_${item.id}`;
}
