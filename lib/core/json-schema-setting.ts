import { z } from 'zod';
import { showValue } from './text-values.ts';

const LONGEST_SCHEMA = 50_000;
const DEEPEST_SCHEMA = 40;

/** What came out of JSON is JSON. Not `z.json()`: it refers to itself, which the API's description can't name. */
const anyJson = z.custom<z.core.util.JSONType>(() => true);

type JsonSchema = Record<string, z.core.util.JSONType>;

/** A JSON Schema that a person wrote, within limits of size and depth. Whether it can be used is checked where settings come in. */
export const jsonSchemaSetting = z
  .record(z.string(), anyJson, {
    error: (issue) => `must be a JSON Schema (an object), got ${showValue(issue.input)}`,
  })
  .overwrite(unpacked)
  .refine((schema) => !isDeeper(schema, DEEPEST_SCHEMA), {
    error: `must be nested at most ${DEEPEST_SCHEMA} levels deep`,
    abort: true,
  })
  .refine((schema) => JSON.stringify(schema).length <= LONGEST_SCHEMA, {
    error: `must be at most ${LONGEST_SCHEMA.toLocaleString('en-US')} characters as JSON`,
  });

const AS_TEXT = 'x-hone-text';

/** A JSON Schema as it is stored in JSONB, which sorts members. Models write members in the order of the schema, so it is kept as text. */
export function packJsonSchema(schema: JsonSchema): JsonSchema {
  return { [AS_TEXT]: JSON.stringify(schema) };
}

/** The schema inside a packed one; any other schema as it is. */
function unpacked(schema: JsonSchema): JsonSchema {
  const text = schema[AS_TEXT];
  if (typeof text !== 'string') return schema;
  try {
    const read = z.record(z.string(), anyJson).safeParse(JSON.parse(text));
    return read.success ? read.data : schema;
  } catch {
    return schema;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
