/**
 * Text that PostgreSQL can store: U+0000 and lone surrogates become U+FFFD, so that what was replaced can be seen.
 */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

/** The same for every text inside a JSON value, names of members included. */
export function cleanJson<Value>(value: Value): Value;
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map((item: unknown) => cleanJson(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleanText(key), cleanJson(member)]));
  }
  return value;
}

/** JSON as PostgreSQL can store it. Most values hold nothing to clean, which their JSON shows. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return MAYBE_UNCLEAN.test(json) ? JSON.stringify(cleanJson(value)) : json;
}

/** How `JSON.stringify` writes U+0000 and lone surrogates; also a text that speaks of them. */
const MAYBE_UNCLEAN = /\\u(?:0000|d[89a-f])/;

/** More words than this don't narrow a search; they only cost. */
const MOST_WORDS = 20;
/** PostgreSQL refuses words of more than 2,046 bytes. */
const MOST_CHARACTERS = 200;

/**
 * What a person types into a search as a PostgreSQL text query (for `to_tsquery`): all words, each as the beginning of one. Whatever is
 * typed gives a query that can be read; one without letters and digits finds nothing.
 */
export function prefixQuery(typed: string): string {
  return cleanText(typed)
    .split(/\s+/)
    .map((word) => word.replaceAll(/['\\]/g, ' ').slice(0, MOST_CHARACTERS).trim())
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, MOST_WORDS)
    .map((word) => `'${word}':*`)
    .join(' & ');
}

/** SQL: a `prefixQuery` in the parameter `query`, for vectors that do not hold where their words stand: parts of a word need not stand together. */
export const unorderedQuery = (query: string) => `replace(to_tsquery('simple', ${query})::text, '<->', '&')::tsquery`;

/** In the order of names, whatever their case. */
export function sortByName<Item extends { id: string; name: string }>(items: readonly Item[]): Item[] {
  const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
  return items.toSorted(
    (one, other) => compare(one.name.toLowerCase(), other.name.toLowerCase()) || compare(one.id, other.id),
  );
}

/** The moments a year begins and ends at, UTC; the end is not a part of it. */
export function yearBounds(year: number): { from: Date; to: Date } {
  return { from: new Date(Date.UTC(year, 0)), to: new Date(Date.UTC(year + 1, 0)) };
}

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
