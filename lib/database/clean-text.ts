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
