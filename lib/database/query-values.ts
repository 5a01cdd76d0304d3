import { mapTexts } from '#lib/core/json-values.ts';

/** Returns text that PostgreSQL can store: U+0000 and lone surrogates become U+FFFD, so that the replacement is visible. */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

/** Applies `cleanText` to every text inside a JSON value, including keys. */
export function cleanJson<Value>(value: Value): Value;
export function cleanJson(value: unknown): unknown {
  return mapTexts(value, cleanText);
}

/** Returns JSON that PostgreSQL can store. Most values need no cleaning, which is detected in their JSON. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return MAYBE_UNCLEAN.test(json) ? JSON.stringify(cleanJson(value)) : json;
}

/** Matches the escapes of `JSON.stringify` for U+0000 and lone surrogates, and texts that contain such escapes. */
const MAYBE_UNCLEAN = /\\u(?:0000|d[89a-f])/;

type IsoTime<Value> = Value extends Date ? string : Value;

/** Returns a row with its times as ISO 8601 texts in UTC. */
export function withIsoTimes<Row extends object>(row: Row): { [Name in keyof Row]: IsoTime<Row[Name]> };
export function withIsoTimes(row: object) {
  const values = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(values);
}

/** Maximum number of words in a search. More do not narrow it and only cost time. */
const MAX_SEARCH_WORDS = 20;
/** Maximum characters per word. PostgreSQL rejects words of more than 2,046 bytes. */
const MAX_WORD_LENGTH = 200;

/**
 * Converts search input to a PostgreSQL text query (for `to_tsquery`): all words must match, each as a prefix. Any input gives a valid
 * query. Input without letters and digits finds nothing.
 */
export function prefixQuery(typed: string): string {
  return cleanText(typed)
    .split(/\s+/)
    .map((word) => word.replaceAll(/['\\]/g, ' ').slice(0, MAX_WORD_LENGTH).trim())
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, MAX_SEARCH_WORDS)
    .map((word) => `'${word}':*`)
    .join(' & ');
}

/** SQL: a `prefixQuery` in the parameter `query`, for vectors without positions. Parts of a word need not be adjacent. */
export const unorderedQuery = (query: string) => `replace(to_tsquery('simple', ${query})::text, '<->', '&')::tsquery`;

/** Sorts by name, ignoring case. */
export function sortByName<Item extends { id: string; name: string }>(items: readonly Item[]): Item[] {
  const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
  return items.toSorted(
    (one, other) => compare(one.name.toLowerCase(), other.name.toLowerCase()) || compare(one.id, other.id),
  );
}

/** Returns the start and end of a year in UTC. The end is exclusive. */
export function yearBounds(year: number): { from: Date; to: Date } {
  return { from: new Date(Date.UTC(year, 0)), to: new Date(Date.UTC(year + 1, 0)) };
}

/** One page of a list, and the cursor of the next one. Null at the end. */
export type Page<Item> = { items: Item[]; nextCursor: string | null };

/** Creates a page from `limit + 1` rows. */
export function pageOf<Item>(rows: Item[], limit: number, cursorOf: (item: Item) => string): Page<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** Parses a cursor over (time, id), newest first. Returns null if it is invalid. */
export function readTimeCursor(cursor: string | null): { at: Date; id: string } | null {
  const match = cursor?.match(/^(\d{1,15})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/);
  return match?.[1] === undefined || match[2] === undefined ? null : { at: new Date(Number(match[1])), id: match[2] };
}

export function timeCursor(item: { createdAt: string; id: string }): string {
  return `${Date.parse(item.createdAt)}_${item.id}`;
}

/**
 * SQL: order of the evaluations `e` of a version, the effective one first: the latest full score by a person since the last restored
 * score, otherwise the latest of all. `effectiveEvaluation` of the core decides the same for a loaded history.
 */
export const EFFECTIVE_FIRST = `(e.by = 'person' AND e.status = 'scored' AND NOT EXISTS (
  SELECT 1 FROM decisions d WHERE d.run_id = e.run_id AND d.decision = 'restore' AND d.version = e.version AND d.at > e.created_at)) DESC, e.ordinal DESC`;
