/** An attribute of Prisma's language: `@db.Uuid`, `@default(now())`, `@@index([a, b])`. */
export type SchemaAttribute = { name: string; argument: string };

export type SchemaField = {
  name: string;
  column: string;
  /** `String`, `Int`, …, the name of another model, or what stands in `Unsupported("…")`. */
  type: string;
  kind: 'scalar' | 'relation' | 'unsupported';
  arity: 'one' | 'optional' | 'list';
  attributes: SchemaAttribute[];
};

export type SchemaModel = { name: string; table: string; fields: SchemaField[]; attributes: SchemaAttribute[] };

/** Reads the models of a schema.prisma. Throws on a block that it does not know, so that nothing is passed over unseen. */
export function parseSchema(text: string): SchemaModel[] {
  const blocks = [...text.replaceAll(/^\s*\/\/.*$/gm, '').matchAll(/^(\w+) (\w+) \{\n([\s\S]*?)^\}/gm)];
  const unknown = blocks.find(([, keyword]) => !['model', 'generator', 'datasource'].includes(keyword ?? ''));
  if (unknown) throw new Error(`schema.prisma: the drift check does not know "${unknown[1]} ${unknown[2]}" yet`);
  const models = blocks.filter(([, keyword]) => keyword === 'model');
  const names = new Set(models.map(([, , name]) => name ?? ''));
  return models.map(([, , name = '', body = '']) => parseModel(name, body, names));
}

/** `[a(sort: Desc), b]` in an argument → its parts; empty when there is no list under that key (the first one without a key). */
export function listIn(argument: string, key?: string): string[] {
  const list = (
    key === undefined ? /^\s*(?:fields:\s*)?\[([^\]]*)\]/ : new RegExp(`\\b${key}:\\s*\\[([^\\]]*)\\]`)
  ).exec(argument);
  return (list?.[1] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** `map: "name"` or `onDelete: Cascade` in an argument; null when it is not there. */
export function valueIn(argument: string, key: string): string | null {
  return new RegExp(`\\b${key}:\\s*"?(\\w+)"?`).exec(argument)?.[1] ?? null;
}

function parseModel(name: string, body: string, models: Set<string>): SchemaModel {
  const lines = body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const attributes = lines.filter((line) => line.startsWith('@@')).flatMap((line) => parseAttributes(line));
  const fields = lines.filter((line) => !line.startsWith('@@')).map((line) => parseField(line, models));
  return { name, table: quoted(attributes, '@@map') ?? name, fields, attributes };
}

function parseField(line: string, models: Set<string>): SchemaField {
  const found = /^(\w+)\s+(?:Unsupported\("([^"]+)"\)|(\w+))(\?|\[\])?\s*(.*)$/.exec(line);
  if (found === null) throw new Error(`schema.prisma: the drift check cannot read "${line}"`);
  const [, name = '', unsupported, type = '', mark, rest = ''] = found;
  const attributes = parseAttributes(rest);
  return {
    name,
    column: quoted(attributes, '@map') ?? name,
    type: unsupported ?? type,
    kind: unsupported !== undefined ? 'unsupported' : models.has(type) ? 'relation' : 'scalar',
    arity: mark === '?' ? 'optional' : mark === '[]' ? 'list' : 'one',
    attributes,
  };
}

/** Reads brackets within brackets and strings, which a pattern cannot. */
function parseAttributes(text: string): SchemaAttribute[] {
  const attributes: SchemaAttribute[] = [];
  let rest = text;
  for (;;) {
    const name = /^\s*(@@?[\w.]+)/.exec(rest);
    if (name === null) return attributes;
    rest = rest.slice(name[0].length);
    const length = rest.startsWith('(') ? bracketLength(rest) : 0;
    attributes.push({ name: name[1] ?? '', argument: rest.slice(1, Math.max(1, length - 1)) });
    rest = rest.slice(length);
  }
}

function bracketLength(text: string): number {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString && character === '\\') index += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && character === '(') depth += 1;
    else if (!inString && character === ')') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  throw new Error(`schema.prisma: a bracket is not closed in "${text}"`);
}

function quoted(attributes: SchemaAttribute[], name: string): string | null {
  const argument = attributes.find((attribute) => attribute.name === name)?.argument;
  return /"(\w+)"/.exec(argument ?? '')?.[1] ?? null;
}
