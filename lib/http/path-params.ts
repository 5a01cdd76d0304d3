import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { cleanText } from '#lib/database/query-values.ts';

/** Reads a parameter of a path, still encoded as it stands in the URL. */
export type PathParam = (text: string) => Result<string>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id of a `kind` of thing. One that is no UUID names nothing, so it is not found. */
export function idOf(kind: string): PathParam {
  return (text) => (UUID.test(text) ? succeed(text.toLowerCase()) : notFound(kind));
}

/** The name of a `kind` of thing. One that the database could not hold names nothing, so it is not found. */
export function nameOf(kind: string): PathParam {
  return (text) => {
    const name = readWord(text);
    return name === null ? fail('not_found', `There is no ${kind} of this name.`) : succeed(name);
  };
}

/** A decoded word, empty where the database could not hold it; the command that takes it decides what is not found. */
export const word: PathParam = (text) => succeed(readWord(text) ?? '');

/** A number of at least `from`, as digits. Anything else names nothing, so it is not found. */
export function numberOf(kind: string, from: 0 | 1): PathParam {
  const digits = from === 0 ? /^\d{1,6}$/ : /^[1-9]\d{0,8}$/;
  return (text) => (digits.test(text) ? succeed(text) : notFound(kind));
}

/** The text as it stands in the URL. */
export const anyText: PathParam = succeed;

export function notFound(what: string): Result<never> {
  return fail('not_found', `There is no ${what} with this id.`);
}

/** What a read found, or that there is no such thing. */
export function found<Value>(value: Value | null, what: string): Result<Value> {
  return value === null ? notFound(what) : succeed(value);
}

/** Decodes a word of a path; null for what the database could not hold. */
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
