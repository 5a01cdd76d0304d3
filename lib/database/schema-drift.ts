import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { dropDatabase } from './drop-database.ts';
import { writeSchemaDdl } from './schema-ddl.ts';

/**
 * Compares what the migrations made (the database of `connectionString`) with what schema.prisma says, as PostgreSQL itself describes
 * both: tables, columns with type, null and default, keys, indexes, foreign keys. Answers one line per difference; none: no drift.
 * The schema is built in a second database, which is dropped again.
 */
export async function findSchemaDrift(connectionString: string, schema: string): Promise<string[]> {
  const name = `drift_${randomUUID().replaceAll('-', '')}`;
  const second = new URL(connectionString);
  second.pathname = `/${name}`;
  await withClient(connectionString, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
  try {
    const wanted = await withClient(second.href, async (client) => {
      await client.query(writeSchemaDdl(schema));
      return describeDatabase(client);
    });
    const made = await withClient(connectionString, describeDatabase);
    return [
      ...wanted.filter((line) => !made.includes(line)).map((line) => `only in schema.prisma: ${line}`),
      ...made.filter((line) => !wanted.includes(line)).map((line) => `only in the migrations: ${line}`),
    ];
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

/** One line for each table, column, constraint and index. */
async function describeDatabase(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `${OWN_TABLES} ${COLUMNS} UNION ALL ${CONSTRAINTS} UNION ALL ${INDEXES} UNION ALL ${OTHERS} ORDER BY 1`,
  );
  return rows.map((row) => row.line);
}

const OWN_TABLES = `WITH own AS (
  SELECT oid, relname FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> '_prisma_migrations')`;

/** What a generated column computes cannot be said in schema.prisma, so only that it is there. */
const COLUMNS = `SELECT format('column %s.%s %s%s%s', own.relname, attname, format_type(atttypid, atttypmod),
    CASE WHEN attnotnull THEN ' not null' END,
    CASE WHEN attgenerated = '' THEN ' default ' || pg_get_expr(adbin, adrelid) END) AS line
  FROM own JOIN pg_attribute ON attrelid = own.oid AND attnum > 0 AND NOT attisdropped
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum`;

/** Not-null constraints stand with their columns. */
const CONSTRAINTS = `SELECT format('constraint %s on %s %s', conname, own.relname, pg_get_constraintdef(pg_constraint.oid))
  FROM own JOIN pg_constraint ON conrelid = own.oid AND contype <> 'n'`;

/** Without conditions and operator classes, which cannot be said in schema.prisma. */
const INDEXES = `SELECT format('%s %s on %s using %s (%s)', CASE WHEN indisunique THEN 'unique index' ELSE 'index' END, index.relname, own.relname, amname,
    (SELECT string_agg(pg_get_indexdef(indexrelid, n, true) || CASE WHEN indoption[n - 1] & 1 = 1 THEN ' DESC' ELSE '' END, ', ' ORDER BY n)
     FROM generate_series(1, indnkeyatts) AS n))
  FROM own JOIN pg_index ON indrelid = own.oid JOIN pg_class AS index ON index.oid = indexrelid JOIN pg_am ON pg_am.oid = index.relam`;

const OTHERS = `SELECT format('table %s', relname) FROM own
  UNION ALL SELECT format('view %s', relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')
  UNION ALL SELECT format('enum %s', typname) FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype = 'e'`;
