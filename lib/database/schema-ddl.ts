import { listIn, parseSchema, type SchemaField, type SchemaModel, valueIn } from './parse-schema.ts';

/**
 * The statements that make a database as schema.prisma says, with Prisma's names and defaults. Only for comparing with what the
 * migrations make: throws on a type that it does not know.
 */
export function writeSchemaDdl(schema: string): string {
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
  const keys = own ? [own.column] : listIn(modelAttribute(model, '@@id') ?? '').map((name) => columnOf(model, name));
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

/** Defaults that Prisma fills in itself (uuid(), cuid()) and those of generated columns are none to the database. */
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

/** PostgreSQL cuts names at 63 bytes; Prisma shortens what stands before the ending. */
function prismaName(table: string, columns: string[], ending: string): string {
  return `${[table, ...columns].join('_').slice(0, 62 - ending.length)}_${ending}`;
}

function columnOf(model: SchemaModel, fieldName: string): string {
  const field = model.fields.find(({ name }) => name === fieldName);
  if (field === undefined) throw new Error(`schema.prisma: ${model.name} has no field ${fieldName}`);
  return field.column;
}

function attribute(field: SchemaField, name: string): string | null {
  return field.attributes.find((one) => one.name === name)?.argument ?? null;
}

function modelAttribute(model: SchemaModel, name: string): string | null {
  return model.attributes.find((one) => one.name === name)?.argument ?? null;
}

function quoteAll(names: string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
