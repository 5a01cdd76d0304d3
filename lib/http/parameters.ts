import { z } from 'zod';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { withLength } from '#lib/core/setting-parts.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { similarSetting } from '#lib/input/similar-setting.ts';

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

export const queryText = z.string({ error: 'must be given once' });
export const searchText = queryText.max(200, { error: 'must be at most 200 characters' }).transform(cleanText);
/** True or false in the query, false by default. */
export const queryFlag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .default('false')
  .transform((text) => text === 'true');

const LIMIT = 'must be a whole number from 1 to 200';
const BY_TIME = /^\d{1,15}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const BY_NUMBER = /^\d{1,9}$/;
const BY_CASE = /^\d{1,6}_\d{1,6}_\d{1,6}$/;
const BY_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z_\d{1,9}$/;

/** Returns the paging parameters of a list: `limit` from 1 to 200 (default 50), and the `nextCursor` of the previous page. */
function paging(cursor: RegExp) {
  return {
    cursor: queryText.regex(cursor, { error: 'must be the nextCursor of the previous page' }).optional(),
    limit: z
      .string({ error: LIMIT })
      .regex(/^\d{1,3}$/, { error: LIMIT })
      .meta({ type: 'integer', minimum: 1, maximum: 200 })
      .transform(Number)
      .refine((limit) => limit >= 1 && limit <= 200, { error: LIMIT })
      .default(50),
  };
}

/** Optional id to filter by. */
export const optionalId = z.guid({ error: 'must be an id' }).toLowerCase().optional();

export const pagedByTime = paging(BY_TIME);
export const pagedByNumber = paging(BY_NUMBER);
/** Paging of lists sorted by version number, then case and attempt. */
export const pagedByCase = paging(BY_CASE);
/** Paging of lists sorted by time, whose items have a name instead of an id. */
export const pagedByTimeAndName = paging(/^\d{1,15}_[\w./-]{1,100}$/);
/** Paging of lists sorted by a timestamp of a run, then by its number. */
export const pagedByMoment = paging(BY_MOMENT);

/**
 * Parses the query parameters with a strict schema. Reports unknown, repeated or invalid parameters by name. Also rejects U+0000, which the
 * database cannot store, unless the schema replaces it.
 */
export function readQuery<Schema extends z.ZodObject>(request: Request, schema: Schema): Result<z.output<Schema>> {
  const { searchParams } = new URL(request.url);
  const sent = Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => [name, oneOrMany(searchParams.getAll(name))]),
  );
  const parsed = schema.safeParse(sent, { reportInput: true });
  if (parsed.success) {
    const unfit = Object.entries(parsed.data).find(([, value]) => typeof value === 'string' && value.includes('\0'));
    if (unfit === undefined) return succeed(parsed.data);
    return fail('invalid', `${unfit[0]} must not contain the character U+0000 (%00). Remove it.`, unfit[0]);
  }
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const [unknown = ''] = issue.keys;
    const similar = similarSetting(unknown, Object.keys(schema.shape));
    const hint = similar === null ? '' : ` Did you mean ${similar}?`;
    return fail('invalid', `This route has no query parameter ${unknown}.${hint}`, unknown);
  }
  const field = issue?.path.join('.') ?? '';
  return fail('invalid', `${field} ${issue === undefined ? 'is wrong' : withLength(issue)}.`, field);
}

function oneOrMany(values: string[]): string | string[] {
  return values.length === 1 && values[0] !== undefined ? values[0] : values;
}
