import type pg from 'pg';
import { z } from 'zod';
import { listStoredTables, quoteName } from './stored-tables.ts';

/** References between tables that were taken off, as SQL brings them back. */
export type HeldReferences = { restore: string[]; tables: string[] };

const rowSchema = z.object({ table: z.string(), name: z.string(), definition: z.string() });

/** Takes the references off and rests the triggers, so that tables can be filled in any order and at full speed. */
export async function holdReferences(client: pg.ClientBase): Promise<HeldReferences> {
  const { rows } = await client.query<Record<string, unknown>>(
    `SELECT c.relname AS table, k.conname AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace AND k.conparentid = 0 ORDER BY 1, 2`,
  );
  const references = rows.map((row) => rowSchema.parse(row));
  const tables = (await listStoredTables(client)).map(({ name }) => quoteName(name));
  for (const { table, name } of references)
    await client.query(`ALTER TABLE ${quoteName(table)} DROP CONSTRAINT ${quoteName(name)}`);
  for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  return {
    restore: references.map(
      ({ table, name, definition }) =>
        `ALTER TABLE ${quoteName(table)} ADD CONSTRAINT ${quoteName(name)} ${definition}`,
    ),
    tables,
  };
}

/** Brings them back; the server looks at every row, and throws where one refers to nothing. */
export async function releaseReferences(client: pg.ClientBase, held: HeldReferences): Promise<void> {
  for (const statement of held.restore) await client.query(statement);
  for (const table of held.tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}
