import type pg from 'pg';
import { z } from 'zod';

/** A table of Hone's and the columns of it that are stored, in their order; generated ones are left out. */
export type StoredTable = { name: string; columns: string[] };

const rowSchema = z.object({ name: z.string(), columns: z.array(z.string()) });

/** All tables of the connection's schema by name, but the record of migrations. */
export async function listStoredTables(client: pg.ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<Record<string, unknown>>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> '_prisma_migrations'
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
  );
  return rows.map((row) => rowSchema.parse(row));
}

/** A table's or column's name as SQL takes it, whatever is in it. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
