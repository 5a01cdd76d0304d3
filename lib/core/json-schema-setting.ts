import { z } from 'zod';
import { showValue } from './text-values.ts';

const MAX_SCHEMA_LENGTH = 50_000;
const MAX_SCHEMA_DEPTH = 40;

/** Parsed JSON needs no further check. `z.json()` is recursive, which the API description cannot name. */
const anyJson = z.custom<z.core.util.JSONType>(() => true);

type JsonSchema = Record<string, z.core.util.JSONType>;

/** A user-written JSON Schema, limited in size and depth. Its usability is checked when settings are validated. */
export const jsonSchemaSetting = z
  .record(z.string(), anyJson, {
    error: (issue) => `must be a JSON Schema (an object), got ${showValue(issue.input)}`,
  })
  .overwrite(unpacked)
  .refine((schema) => !isDeeper(schema, MAX_SCHEMA_DEPTH), {
    error: `must be nested at most ${MAX_SCHEMA_DEPTH} levels deep`,
    abort: true,
  })
  .refine((schema) => JSON.stringify(schema).length <= MAX_SCHEMA_LENGTH, {
    error: `must be at most ${MAX_SCHEMA_LENGTH.toLocaleString('en-US')} characters as JSON`,
  });

const AS_TEXT = 'x-hone-text';

/**
 * Packs a JSON Schema for storage in JSONB, which sorts members. Models write members in the order of the schema, so it is stored as text.
 */
export function packJsonSchema(schema: JsonSchema): JsonSchema {
  return { [AS_TEXT]: JSON.stringify(schema) };
}

/** Returns the schema inside a packed one, and any other schema unchanged. */
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
