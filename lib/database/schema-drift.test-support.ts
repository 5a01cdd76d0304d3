import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { dropDatabase } from './drop-database.test-support.ts';

/** An attribute of the Prisma schema language: `@db.Uuid`, `@default(now())`, `@@index([a, b])`. */
type SchemaAttribute = { name: string; argument: string };

type SchemaField = {
  name: string;
  column: string;
  /** `String`, `Int`, …, the name of another model, or the content of `Unsupported("…")`. */
  type: string;
  kind: 'scalar' | 'relation' | 'unsupported';
  arity: 'one' | 'optional' | 'list';
  attributes: SchemaAttribute[];
};

type SchemaModel = { name: string; table: string; fields: SchemaField[]; attributes: SchemaAttribute[] };

/** Parses the models of a schema.prisma. Throws on an unknown block, so that nothing is skipped silently. */
function parseSchema(text: string): SchemaModel[] {
  const blocks = [...text.replaceAll(/^\s*\/\/.*$/gm, '').matchAll(/^(\w+) (\w+) \{\n([\s\S]*?)^\}/gm)];
  const unknown = blocks.find(([, keyword]) => !['model', 'generator', 'datasource'].includes(keyword ?? ''));
  if (unknown) throw new Error(`schema.prisma: the drift check does not know "${unknown[1]} ${unknown[2]}" yet`);
  const models = blocks.filter(([, keyword]) => keyword === 'model');
  const names = new Set(models.map(([, , name]) => name ?? ''));
  return models.map(([, , name = '', body = '']) => parseModel(name, body, names));
}

/**
 * Returns the parts of a list such as `[a(sort: Desc), b]` in an argument. Empty if there is no list for that key (without a key, the first
 * one).
 */
function listIn(argument: string, key?: string): string[] {
  const list = (
    key === undefined ? /^\s*(?:fields:\s*)?\[([^\]]*)\]/ : new RegExp(`\\b${key}:\\s*\\[([^\\]]*)\\]`)
  ).exec(argument);
  return (list?.[1] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Returns a value such as `map: "name"` or `onDelete: Cascade` in an argument, or null if it is missing. */
function valueIn(argument: string, key: string): string | null {
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

/** Parses nested brackets and strings, which a regular expression cannot. */
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

/**
 * Returns the statements that create a database from schema.prisma, with Prisma's names and defaults. Only for comparison with the result
 * of the migrations. Throws on an unknown type.
 */
function writeSchemaDdl(schema: string): string {
  const models = parseSchema(schema);
  return [
    ...models.map(createTable),
    ...models.flatMap(createIndexes),
    ...models.flatMap((model) => addForeignKeys(model, models)),
  ].join(';\n');
}

const PLAIN_TYPES: Record<string, string> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Decimal: 'numeric(65,30)',
  Boolean: 'boolean',
  DateTime: 'timestamp(3)',
  Json: 'jsonb',
  Bytes: 'bytea',
};
const NATIVE_TYPES: Record<string, string> = {
  Uuid: 'uuid',
  Text: 'text',
  VarChar: 'varchar',
  Char: 'char',
  SmallInt: 'smallint',
  Integer: 'integer',
  BigInt: 'bigint',
  Real: 'real',
  DoublePrecision: 'double precision',
  Decimal: 'numeric',
  Timestamp: 'timestamp',
  Timestamptz: 'timestamptz',
  Date: 'date',
  JsonB: 'jsonb',
};
const ACTIONS: Record<string, string> = {
  Cascade: 'CASCADE',
  Restrict: 'RESTRICT',
  SetNull: 'SET NULL',
  NoAction: 'NO ACTION',
  SetDefault: 'SET DEFAULT',
};

function createTable(model: SchemaModel): string {
  const columns = model.fields
    .filter((field) => field.kind !== 'relation')
    .map((field) => `"${field.column}" ${columnType(field)}`);
  const own = model.fields.find((field) => attribute(field, '@id') !== null);
  const keys = own ? [own.column] : listIn(attribute(model, '@@id') ?? '').map((name) => columnOf(model, name));
  const key =
    keys.length === 0 ? [] : [`CONSTRAINT "${prismaName(model.table, [], 'pkey')}" PRIMARY KEY (${quoteAll(keys)})`];
  return `CREATE TABLE "${model.table}" (${[...columns, ...key].join(', ')})`;
}

function columnType(field: SchemaField): string {
  const native = field.attributes.find(({ name }) => name.startsWith('@db.'));
  const base = native === undefined ? PLAIN_TYPES[field.type] : NATIVE_TYPES[native.name.slice(4)];
  const type = field.kind === 'unsupported' ? field.type : base;
  if (type === undefined)
    throw new Error(`schema.prisma: the drift check does not know the type of "${field.name} ${field.type}" yet`);
  if (attribute(field, '@default') === 'autoincrement()') return type === 'bigint' ? 'bigserial' : 'serial';
  const size = native?.argument ? `(${native.argument})` : '';
  // Prisma leaves lists nullable.
  const rest = { one: ' NOT NULL', optional: '', list: '[]' }[field.arity];
  return `${type}${size}${rest}${defaultOf(field)}`;
}

/** Defaults that Prisma generates (uuid(), cuid()) and those of generated columns are not database defaults. */
function defaultOf(field: SchemaField): string {
  const value = attribute(field, '@default');
  if (value === null || value === 'dbgenerated()' || /^(uuid|cuid|ulid|nanoid)\(/.test(value)) return '';
  if (value === 'now()') return ' DEFAULT CURRENT_TIMESTAMP';
  const generated = /^dbgenerated\("(.*)"\)$/.exec(value);
  if (generated) return ` DEFAULT ${generated[1]}`;
  const text = /^"(.*)"$/.exec(value);
  if (text) return ` DEFAULT '${(text[1] ?? '').replaceAll("'", "''")}'`;
  if (value === '[]') return " DEFAULT '{}'";
  return ` DEFAULT ${value}`;
}

function createIndexes(model: SchemaModel): string[] {
  const single = model.fields.flatMap((field) => {
    const argument = attribute(field, '@unique');
    return argument === null ? [] : [{ unique: true, argument, parts: [field.name] }];
  });
  const several = model.attributes
    .filter(({ name }) => name === '@@unique' || name === '@@index')
    .map(({ name, argument }) => ({ unique: name === '@@unique', argument, parts: listIn(argument) }));
  return [...single, ...several].map(({ unique, argument, parts }) => {
    const columns = parts.map((part) => ({
      column: columnOf(model, part.replace(/\(.*/, '')),
      descending: /sort:\s*Desc/.test(part),
    }));
    const name =
      valueIn(argument, 'map') ??
      prismaName(
        model.table,
        columns.map(({ column }) => column),
        unique ? 'key' : 'idx',
      );
    const list = columns.map(({ column, descending }) => `"${column}"${descending ? ' DESC' : ''}`).join(', ');
    const method = (valueIn(argument, 'type') ?? 'BTree').toLowerCase();
    return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX "${name}" ON "${model.table}" USING ${method} (${list})`;
  });
}

function addForeignKeys(model: SchemaModel, models: SchemaModel[]): string[] {
  return model.fields.flatMap((field) => {
    const argument = attribute(field, '@relation') ?? '';
    const columns = listIn(argument, 'fields').map((name) => columnOf(model, name));
    const target = models.find(({ name }) => name === field.type);
    if (columns.length === 0 || target === undefined) return [];
    const name = valueIn(argument, 'map') ?? prismaName(model.table, columns, 'fkey');
    const there = listIn(argument, 'references').map((reference) => columnOf(target, reference));
    const onDelete = ACTIONS[valueIn(argument, 'onDelete') ?? (field.arity === 'optional' ? 'SetNull' : 'Restrict')];
    const onUpdate = ACTIONS[valueIn(argument, 'onUpdate') ?? 'Cascade'];
    return [
      `ALTER TABLE "${model.table}" ADD CONSTRAINT "${name}" FOREIGN KEY (${quoteAll(columns)}) REFERENCES "${target.table}" (${quoteAll(there)}) ON DELETE ${onDelete} ON UPDATE ${onUpdate}`,
    ];
  });
}

/** PostgreSQL truncates names at 63 bytes. Prisma shortens the part before the suffix. */
function prismaName(table: string, columns: string[], ending: string): string {
  return `${[table, ...columns].join('_').slice(0, 62 - ending.length)}_${ending}`;
}

function columnOf(model: SchemaModel, fieldName: string): string {
  const field = model.fields.find(({ name }) => name === fieldName);
  if (field === undefined) throw new Error(`schema.prisma: ${model.name} has no field ${fieldName}`);
  return field.column;
}

function attribute(of: SchemaField | SchemaModel, name: string): string | null {
  return of.attributes.find((one) => one.name === name)?.argument ?? null;
}

function quoteAll(names: string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

/**
 * Compares the result of the migrations (the database of `connectionString`) with schema.prisma, as described by PostgreSQL: tables,
 * columns with type, nullability and default, keys, indexes, foreign keys. Returns one line per difference, or none without drift. The
 * schema is created in a second database, which is then dropped.
 */
export async function findSchemaDrift(connectionString: string, schema: string): Promise<string[]> {
  let described = schemas.get(schema);
  if (described === undefined) {
    described = describeSchema(connectionString, schema);
    schemas.set(schema, described);
  }
  const wanted = await described;
  const made = await withClient(connectionString, describeDatabase);
  return [
    ...wanted.filter((line) => !made.includes(line)).map((line) => `only in schema.prisma: ${line}`),
    ...made.filter((line) => !wanted.includes(line)).map((line) => `only in the migrations: ${line}`),
  ];
}

/** Cached description of each schema, because creating it takes half a second. */
const schemas = new Map<string, Promise<string[]>>();

/** Creates a database from the schema, describes it and drops it. */
async function describeSchema(connectionString: string, schema: string): Promise<string[]> {
  const name = `drift_${randomUUID().replaceAll('-', '')}`;
  const second = new URL(connectionString);
  second.pathname = `/${name}`;
  await withClient(connectionString, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
  try {
    return await withClient(second.href, async (client) => {
      await client.query(writeSchemaDdl(schema));
      return describeDatabase(client);
    });
  } finally {
    await withClient(connectionString, (client) => dropDatabase(client, name));
  }
}

async function withClient<Value>(connectionString: string, use: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Returns one line per table, column, constraint and index. Excludes indexes on expressions, which Prisma's schema cannot declare. */
async function describeDatabase(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `${OWN_TABLES} ${COLUMNS} UNION ALL ${CONSTRAINTS} UNION ALL ${INDEXES} UNION ALL ${OTHERS} ORDER BY 1`,
  );
  return rows.map((row) => row.line);
}

const OWN_TABLES = `WITH own AS (
  SELECT oid, relname FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> '_prisma_migrations')`;

/** schema.prisma cannot express the expression of a generated column, so only its existence is compared. */
const COLUMNS = `SELECT format('column %s.%s %s%s%s', own.relname, attname, format_type(atttypid, atttypmod),
    CASE WHEN attnotnull THEN ' not null' END,
    CASE WHEN attgenerated = '' THEN ' default ' || pg_get_expr(adbin, adrelid) END) AS line
  FROM own JOIN pg_attribute ON attrelid = own.oid AND attnum > 0 AND NOT attisdropped
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum`;

/** Not-null constraints are part of the columns. */
const CONSTRAINTS = `SELECT format('constraint %s on %s %s', conname, own.relname, pg_get_constraintdef(pg_constraint.oid))
  FROM own JOIN pg_constraint ON conrelid = own.oid AND contype <> 'n'`;

/** Without conditions and operator classes, which schema.prisma cannot express. */
const INDEXES = `SELECT format('%s %s on %s using %s (%s)', CASE WHEN indisunique THEN 'unique index' ELSE 'index' END, index.relname, own.relname, amname,
    (SELECT string_agg(pg_get_indexdef(indexrelid, n, true) || CASE WHEN indoption[n - 1] & 1 = 1 THEN ' DESC' ELSE '' END, ', ' ORDER BY n)
     FROM generate_series(1, indnkeyatts) AS n))
  FROM own JOIN pg_index ON indrelid = own.oid JOIN pg_class AS index ON index.oid = indexrelid JOIN pg_am ON pg_am.oid = index.relam
  WHERE indexprs IS NULL`;

const OTHERS = `SELECT format('table %s', relname) FROM own
  UNION ALL SELECT format('view %s', relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')
  UNION ALL SELECT format('enum %s', typname) FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype = 'e'`;
