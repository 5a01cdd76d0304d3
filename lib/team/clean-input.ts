import { cleanJson } from '#lib/db/clean-text.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';

/** Deeper nesting than this is refused: it would exhaust the stack of whatever walks the value. */
const MAX_DEPTH = 100;

/**
 * A value from outside as the database can hold it: in every text and name of a member, U+0000 and lone surrogates become
 * U+FFFD. Refuses what is nested deeper than 100 levels.
 */
export function cleanInput(value: unknown): Result<unknown> {
  if (isDeeper(value, MAX_DEPTH)) return fail('invalid', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  return succeed(cleanJson(value));
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
