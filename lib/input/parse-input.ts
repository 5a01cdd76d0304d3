import type { z } from 'zod';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { cleanJson } from '#lib/database/clean-text.ts';
import { yieldToOthers } from '#lib/system/yield-to-others.ts';
import { isTooDeep, MAX_DEPTH } from './is-too-deep.ts';
import { readableIssue } from './readable-issue.ts';

/** Checks what came in against a schema; the first problem names its field, value and range. `place`: where in the request it is. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  place: readonly PropertyKey[] = [],
): Result<z.output<Schema>> {
  if (isTooDeep(input)) return fail('invalid', `The request is nested deeper than ${MAX_DEPTH} levels.`);
  const parsed = schema.safeParse(cleanJson(input), { error: readableIssue });
  if (parsed.success) return succeed(parsed.data);
  const issue = parsed.error.issues[0];
  if (issue === undefined) return fail('invalid', 'The request does not fit.');
  if (issue.code === 'unrecognized_keys') {
    const field = [...place, ...issue.path, issue.keys[0] ?? ''].join('.');
    return fail('invalid', `${field} is not a known setting. Take it out, or look for its right name.`, field);
  }
  const field = [...place, ...issue.path].join('.');
  if (field === '')
    return fail('invalid', /^[A-Z]/.test(issue.message) ? issue.message : `The request ${issue.message}.`);
  return fail(
    'invalid',
    /^[A-Z]/.test(issue.message) ? `${field}: ${issue.message}` : `${field} ${issue.message}`,
    field,
  );
}

/** Checks each member of a list that may be long, while others are served in between. `place`: where in the request the list is. */
export async function parseEachInput<Schema extends z.ZodType>(
  schema: Schema,
  list: readonly unknown[],
  place: readonly PropertyKey[] = [],
): Promise<Result<z.output<Schema>[]>> {
  const yielding = yieldToOthers();
  const values: z.output<Schema>[] = [];
  for (const [at, one] of list.entries()) {
    const parsed = parseInput(schema, one, [...place, at]);
    if (!parsed.ok) return parsed;
    values.push(parsed.value);
    await yielding();
  }
  return succeed(values);
}
