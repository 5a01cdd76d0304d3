import { fail, type Result, succeed } from '#lib/reflection/problem.ts';

/** Deeper nesting than this is refused: it would exhaust the stack of whatever walks the value next. */
const MAX_DEPTH = 100;

/**
 * A value from outside as the database can hold it: in every text and key, U+0000 and lone surrogates (which PostgreSQL
 * refuses) become U+FFFD, the mark of a replaced character. Arrays and objects are copied; all else passes as it is.
 */
export function cleanInput(value: unknown): Result<unknown> {
  const cleaned = clean(value, 0);
  return cleaned === TOO_DEEP
    ? fail('invalid', `The body is nested deeper than ${MAX_DEPTH} levels.`)
    : succeed(cleaned);
}

/** One text, cleaned the same way. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD');
}

const TOO_DEEP = Symbol('too deep');

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(value)) {
    const items = value.map((item) => clean(item, depth + 1));
    return items.includes(TOO_DEEP) ? TOO_DEEP : items;
  }
  const fields = Object.entries(value).map(([key, field]) => [cleanText(key), clean(field, depth + 1)] as const);
  return fields.some(([, field]) => field === TOO_DEEP) ? TOO_DEEP : Object.fromEntries(fields);
}
