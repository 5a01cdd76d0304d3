import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { cleanText } from '#lib/database/query-values.ts';

/** Parses a path parameter, still URL-encoded. */
export type PathParam = (text: string) => Result<string>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Parses the id of a `kind` of thing. Returns "not found" if it is not a UUID, because no such thing can exist. */
export function idOf(kind: string): PathParam {
  return (text) => (UUID.test(text) ? succeed(text.toLowerCase()) : notFound(kind));
}

/** Parses the name of a `kind` of thing. Returns "not found" if the database could not store it, because no such thing can exist. */
export function nameOf(kind: string): PathParam {
  return (text) => {
    const name = readWord(text);
    return name === null ? fail('not_found', `There is no ${kind} of this name.`) : succeed(name);
  };
}

/** Decodes a word. Empty if the database could not store it. The receiving command then reports what was not found. */
export const word: PathParam = (text) => succeed(readWord(text) ?? '');

/** Parses a number of at least `from`, as digits. Returns "not found" for anything else. */
export function numberOf(kind: string, from: 0 | 1): PathParam {
  const digits = from === 0 ? /^\d{1,6}$/ : /^[1-9]\d{0,8}$/;
  return (text) => (digits.test(text) ? succeed(text) : notFound(kind));
}

/** Accepts any text, still URL-encoded. */
export const anyText: PathParam = succeed;

export function notFound(what: string): Result<never> {
  return fail('not_found', `There is no ${what} with this id.`);
}

/** Returns the value, or a "not found" problem if it is null. */
export function orNotFound<Value>(value: Value | null, what: string): Result<Value> {
  return value === null ? notFound(what) : succeed(value);
}

/** Decodes a word of a path. Null if the database could not store it. */
function readWord(text: string): string | null {
  const readable = decoded(text);
  return readable !== null && readable.length <= 120 && cleanText(readable) === readable ? readable : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
