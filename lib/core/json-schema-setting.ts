import { z } from 'zod';
import { showValue } from './text-values.ts';

export const LONGEST_SCHEMA = 50_000;
export const DEEPEST_SCHEMA = 40;

/** What came out of JSON is JSON. Not `z.json()`: it refers to itself, which the API's description can't name. */
const anyJson = z.custom<z.core.util.JSONType>(() => true);

/** A JSON Schema that a person wrote, within limits of size and depth. Whether it can be used is checked where settings come in. */
export const jsonSchemaSetting = z
  .record(z.string(), anyJson, {
    error: (issue) => `must be a JSON Schema (an object), got ${showValue(issue.input)}`,
  })
  .refine((schema) => !isDeeper(schema, DEEPEST_SCHEMA), {
    error: `must be nested at most ${DEEPEST_SCHEMA} levels deep`,
    abort: true,
  })
  .refine((schema) => JSON.stringify(schema).length <= LONGEST_SCHEMA, {
    error: `must be at most ${LONGEST_SCHEMA.toLocaleString('en-US')} characters as JSON`,
  });

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
