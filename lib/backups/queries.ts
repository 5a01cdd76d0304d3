import type pg from 'pg';
import { type CopyStreamQuery, type CopyToStreamQuery, from, to } from 'pg-copy-streams';
import { z } from 'zod';

/** A Hone table with its stored columns in order, without generated ones. */
export type StoredTable = { name: string; columns: string[] };

const tableRow = z.object({ name: z.string(), columns: z.array(z.string()) });

/** Lists all tables of the connection's schema by name, except the migration history. */
export async function listStoredTables(client: pg.ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<Record<string, unknown>>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> '_prisma_migrations'
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
  );
  return rows.map((row) => tableRow.parse(row));
}

/** Quotes and escapes a table or column name for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Runs statements without results in one query. */
export async function runStatements(client: pg.ClientBase, statements: readonly string[]): Promise<void> {
  await client.query(statements.join(';\n'));
}

/** Streams the rows of a table, or none, in COPY text format. */
export function copyRows(
  client: pg.ClientBase,
  { name, columns }: StoredTable,
  { withRows }: { withRows: boolean },
): CopyToStreamQuery {
  const rows = `SELECT ${columns.map(quoteName).join(', ')} FROM ${quoteName(name)}${withRows ? '' : ' WHERE false'}`;
  return client.query(to(`COPY (${rows}) TO STDOUT`));
}

/** Returns a stream that writes COPY text into a table. */
export function fillTable(client: pg.ClientBase, { name, columns }: StoredTable): CopyStreamQuery {
  return client.query(from(`COPY ${quoteName(name)} (${columns.map(quoteName).join(', ')}) FROM STDIN`));
}

/** Returns the first of these tables with any row. Null if all are empty. */
export async function findFilledTable(client: pg.ClientBase, names: readonly string[]): Promise<string | null> {
  const each = names.map((name, index) => `SELECT ${index} AS place WHERE EXISTS (SELECT FROM ${quoteName(name)})`);
  const { rows } = await client.query<{ place: number | null }>(
    `SELECT min(place) AS place FROM (${['SELECT NULL::int AS place', ...each].join(' UNION ALL ')}) filled`,
  );
  return names[rows[0]?.place ?? names.length] ?? null;
}

/** Returns the version of the database server. */
export async function findServerVersion(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  return rows[0]?.server_version ?? '';
}

const sequenceRow = z.object({ table: z.string(), column: z.string(), last: z.int() });

/** Lists the column sequences that have been used, with their last value. */
export async function listSequences(client: pg.ClientBase): Promise<z.infer<typeof sequenceRow>[]> {
  const { rows } = await client.query<Record<string, unknown>>(
    `SELECT c.relname AS table, a.attname AS column, s.last_value::float8 AS last
     FROM pg_sequences s
     JOIN pg_class q ON q.relname = s.sequencename AND q.relnamespace = s.schemaname::regnamespace
     JOIN pg_depend d ON d.objid = q.oid AND d.deptype IN ('a', 'i') AND d.refclassid = 'pg_class'::regclass
     JOIN pg_class c ON c.oid = d.refobjid
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
     WHERE s.schemaname = current_schema() AND s.last_value IS NOT NULL ORDER BY 1, 2`,
  );
  return rows.map((row) => sequenceRow.parse(row));
}

const referenceRow = z.object({ table: z.string(), name: z.string(), definition: z.string() });

/** Lists the foreign keys with the SQL that defines them. */
export async function listReferences(client: pg.ClientBase): Promise<z.infer<typeof referenceRow>[]> {
  const { rows } = await client.query<Record<string, unknown>>(
    `SELECT c.relname AS table, k.conname AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace AND k.conparentid = 0 ORDER BY 1, 2`,
  );
  return rows.map((row) => referenceRow.parse(row));
}

/** Lists the functions of the connection's schema that do not belong to an extension, as SQL names. */
export async function listFunctions(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT p.oid::regprocedure::text AS name FROM pg_proc p
     WHERE p.pronamespace = current_schema()::regnamespace
       AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  );
  return rows.map(({ name }) => name);
}
