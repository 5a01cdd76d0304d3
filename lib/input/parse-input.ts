import { z } from 'zod';
import { isDeeper } from '#lib/core/json-values.ts';
import { fail, failAll, type Problem, type Result, succeed } from '#lib/core/problem.ts';
import { withLength } from '#lib/core/setting-parts.ts';
import { showValue } from '#lib/core/text-values.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { yieldToOthers } from '#lib/system/concurrency.ts';
import { similarSetting } from './similar-setting.ts';

/** Maximum nesting depth. Deeper values could overflow the stack of recursive code. */
export const MAX_DEPTH = 100;

/** Returns true if a JSON value is nested deeper than 100 levels. */
export function isTooDeep(value: unknown): boolean {
  return isDeeper(value, MAX_DEPTH);
}

/**
 * Returns the default message of a schema issue: the expected and the actual value. Follows the field's name: "generator must be an object,
 * got nothing".
 */
export function readableIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const got = `got ${showValue(issue.input)}`;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? `of the kind ${issue.expected}`}, ${got}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}, ${got}`;
    case 'too_big':
      return limitMessage(issue, issue.inclusive === false ? 'less than' : 'at most', Number(issue.maximum));
    case 'too_small':
      return limitMessage(issue, issue.inclusive === false ? 'more than' : 'at least', Number(issue.minimum));
    case 'unrecognized_keys':
      return unknownKeyMessage(issue);
    default:
      return undefined;
  }
}

function unknownKeyMessage({ inst, keys }: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>): string {
  const known = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
  const similar = similarSetting(keys[0] ?? '', known);
  return `is not a known setting. ${similar === null ? 'Remove it, or check its name.' : `Did you mean ${similar}?`}`;
}

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** Returns the message of a number, a text or a list beyond a limit: the limit, and the value or its length. */
function limitMessage(
  { origin, input }: { origin: string; input?: unknown },
  relation: 'at most' | 'less than' | 'at least' | 'more than',
  limit: number,
): string {
  const shown = limit.toLocaleString('en-US', { maximumFractionDigits: 20 });
  if (typeof input === 'string' && origin === 'string') {
    if (input === '' && relation === 'at least') return 'must not be empty';
    return `must be ${relation} ${formatNumberOf(limit, 'character')} long, got ${formatCount(input.length)}`;
  }
  if (Array.isArray(input))
    return `must contain ${relation} ${formatNumberOf(limit, 'entry', 'entries')}, got ${formatCount(input.length)}`;
  return `must be ${relation} ${shown}, got ${showValue(input)}`;
}

/**
 * Validates input with a schema. Each problem contains its field, value and range. The first one is that of the result. `path` is the path
 * of the input in the request.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  path: readonly PropertyKey[] = [],
): Result<z.output<Schema>> {
  if (isTooDeep(input)) return fail('invalid', `The request is nested deeper than ${MAX_DEPTH} levels.`);
  const parsed = schema.safeParse(cleanJson(input), { error: readableIssue, reportInput: true });
  if (parsed.success) return succeed(parsed.data);
  const problems = parsed.error.issues.slice(0, MAX_PROBLEMS).map((issue) => problemOf(issue, path));
  return failAll(problems) ?? fail('invalid', 'The request does not fit.');
}

/** Limits the report of a list with thousands of faulty entries. */
const MAX_PROBLEMS = 100;

function problemOf(issue: z.core.$ZodIssue, path: readonly PropertyKey[]): Problem {
  if (issue.code === 'unrecognized_keys') {
    const field = [...path, ...issue.path, issue.keys[0] ?? ''].join('.');
    return fail('invalid', `${field} ${issue.message}`, field).problem;
  }
  const field = [...path, ...issue.path].join('.');
  const message = withLength(issue);
  const isSentence = /^[A-Z]/.test(message);
  if (field === '') return fail('invalid', isSentence ? message : `The request ${message}.`).problem;
  return fail('invalid', isSentence ? `${field}: ${message}` : `${field} ${message}`, field).problem;
}

/** Validates each item of a list that may be long, without blocking other requests. */
export async function parseEachInput<Schema extends z.ZodType>(
  schema: Schema,
  list: readonly unknown[],
): Promise<Result<z.output<Schema>[]>> {
  const yielding = yieldToOthers();
  const values: z.output<Schema>[] = [];
  for (const [at, one] of list.entries()) {
    const parsed = parseInput(schema, one, [at]);
    if (!parsed.ok) return parsed;
    values.push(parsed.value);
    await yielding();
  }
  return succeed(values);
}

/** Returns the schema of a time in a request. PostgreSQL has no year 0. */
export function timeInput(error: string) {
  return z.iso.datetime({ error }).refine((text) => !text.startsWith('0000'), { error: 'must be after the year 0' });
}

/** Returns the schema of a time that is stored. Earlier times have no page cursor, and later ones no four-digit year. */
export function storedTime(error: string, options: { offset?: boolean } = {}) {
  return z.iso.datetime({ error, ...options }).refine(isStorableTime, { error: 'must be a time from 1970 to 9999' });
}

function isStorableTime(text: string): boolean {
  const at = Date.parse(text);
  return at >= 0 && at < Date.UTC(10_000, 0);
}
