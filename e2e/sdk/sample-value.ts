import fc from 'fast-check';
import type { Schema } from '../../sdk/generate/read-api.ts';

type Limits = { pattern?: string; format?: string; minimum?: number; minLength?: number; minItems?: number };

const KNOWN_FORMATS: Record<string, string> = {
  uuid: '11111111-2222-4333-8444-555555555555',
  'date-time': '2026-01-02T03:04:05.678Z',
};
/** Depth below which optional fields are omitted, so that recursive types end. */
const DEEPEST = 6;

/** Returns a valid value for a schema, with all fields or only the required ones. */
export function sampleValue(
  schema: Schema & Limits,
  types: Record<string, Schema>,
  fields: 'all' | 'required',
  depth = 0,
): unknown {
  const inner = (one: Schema) => sampleValue(one, types, fields, depth + 1);
  if (schema.$ref !== undefined) return inner(types[schema.$ref.replace('#/components/schemas/', '')] ?? {});
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first !== undefined) return inner(first);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'string':
      return sampleText(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'number':
    case 'integer':
      return Math.max(schema.minimum ?? 0, 0);
    case 'array': {
      if (schema.prefixItems !== undefined) return schema.prefixItems.map(inner);
      const isEmpty = (schema.minItems ?? 0) === 0 && (fields === 'required' || depth > DEEPEST);
      return isEmpty ? [] : Array.from({ length: Math.max(schema.minItems ?? 0, 1) }, () => inner(schema.items ?? {}));
    }
    case 'object':
      return sampleObject(schema, inner, fields === 'all' && depth <= DEEPEST);
    default:
      return 'any';
  }
}

function sampleObject(schema: Schema, inner: (schema: Schema) => unknown, isWhole: boolean): Record<string, unknown> {
  const { properties, required = [], additionalProperties, propertyNames } = schema;
  if (properties === undefined) {
    const keys = required.length > 0 ? required : isWhole ? [String(propertyNames?.enum?.[0] ?? 'key')] : [];
    const value = typeof additionalProperties === 'object' ? additionalProperties : {};
    return Object.fromEntries(keys.map((key) => [key, inner(value)]));
  }
  const chosen = Object.entries(properties).filter(([name]) => isWhole || required.includes(name));
  // A null cursor limits each list to one page.
  return Object.fromEntries(chosen.map(([name, property]) => [name, name === 'nextCursor' ? null : inner(property)]));
}

function sampleText({ format = '', pattern, minLength = 0 }: Limits): string {
  const known = KNOWN_FORMATS[format];
  if (known !== undefined) return known;
  const [matching] =
    pattern === undefined ? [] : fc.sample(fc.stringMatching(new RegExp(pattern)), { seed: 1, numRuns: 1 });
  return matching ?? 'text'.padEnd(minLength, '.');
}
