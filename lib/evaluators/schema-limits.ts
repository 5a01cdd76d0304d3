export type JsonSchema = Record<string, unknown>;

const MAX_SCHEMA_LENGTH = 50_000;
const MAX_SCHEMA_DEPTH = 40;
const MAX_SUBSCHEMAS = 2_000;
const MAX_REFERENCES = 500;
/** Limit after expanding references: each `$ref` is compiled separately, so that nested definitions can double the size per level. */
const MAX_EXPANDED_OBJECTS = 20_000;
const MAX_PATTERNS = 100;
const MAX_PATTERN_LENGTH = 1_000;

/** Returns the limit that a schema exceeds and a remedy, as the end of a sentence ("has more than …"). Null if it exceeds none. */
export function schemaLimitProblem(schema: JsonSchema): string | null {
  const counts = { subschemas: 0, references: 0, patterns: 0, longest: 0 };
  if (!count(schema, MAX_SCHEMA_DEPTH, counts))
    return `is nested deeper than ${MAX_SCHEMA_DEPTH} levels. Move inner parts to $defs and refer to them with $ref`;
  const { subschemas, references, patterns, longest } = counts;
  if (JSON.stringify(schema).length > MAX_SCHEMA_LENGTH)
    return `has more than ${shown(MAX_SCHEMA_LENGTH)} characters as JSON. Leave out descriptions and examples`;
  if (subschemas > MAX_SUBSCHEMAS)
    return `has more than ${shown(MAX_SUBSCHEMAS)} objects in it. Check parts of the output by separate criteria`;
  if (references > MAX_REFERENCES)
    return `has more than ${MAX_REFERENCES} references ($ref). Check parts of the output by separate criteria`;
  if (patterns > MAX_PATTERNS)
    return `has more than ${MAX_PATTERNS} patterns. Use enum or one pattern with alternatives instead`;
  if (longest > MAX_PATTERN_LENGTH)
    return `has a pattern of more than ${shown(MAX_PATTERN_LENGTH)} characters. Use enum or a shorter pattern instead`;
  if (countExpandedObjects(schema) > MAX_EXPANDED_OBJECTS)
    return `unfolds to more than ${shown(MAX_EXPANDED_OBJECTS)} parts. Let fewer definitions refer to each other more than once`;
  return null;
}

function shown(limit: number): string {
  return limit.toLocaleString('en-US');
}

type Counts = { subschemas: number; references: number; patterns: number; longest: number };

/** Counts the parts of a schema. Returns false if it is nested too deep. */
function count(value: unknown, levels: number, counts: Counts): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => count(item, levels - 1, counts));
  counts.subschemas += 1;
  for (const [key, member] of Object.entries(value)) {
    if (isReference(key, member)) counts.references += 1;
    const patterns = key === 'pattern' ? [member] : key === 'patternProperties' ? Object.keys(Object(member)) : [];
    for (const pattern of patterns) {
      if (typeof pattern !== 'string') continue;
      counts.patterns += 1;
      counts.longest = Math.max(counts.longest, pattern.length);
    }
    if (!count(member, levels - 1, counts)) return false;
  }
  return true;
}

function isReference(key: string, member: unknown): member is string {
  return (key === '$ref' || key === '$dynamicRef') && typeof member === 'string';
}

/** Returns the number of objects in a schema after expanding its references. A recursive reference counts once. */
function countExpandedObjects(schema: JsonSchema): number {
  const sizes = new Map<object, number>();
  const sizeOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    sizes.set(value, 1);
    let size = Array.isArray(value) ? 0 : 1;
    for (const [key, member] of Object.entries(value)) {
      if (key === '$defs' || key === 'definitions') continue;
      size += isReference(key, member) ? sizeOf(pointedAt(schema, member)) : sizeOf(member);
    }
    sizes.set(value, size);
    return size;
  };
  return sizeOf(schema);
}

/** Returns the target of a reference within the schema. Undefined for anchors and external references. */
function pointedAt(schema: JsonSchema, reference: string): unknown {
  if (!/^#(\/|$)/.test(reference)) return undefined;
  let found: unknown = schema;
  for (const part of reference.split('/').slice(1)) {
    if (typeof found !== 'object' || found === null) return undefined;
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found = Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined;
  }
  return found;
}
