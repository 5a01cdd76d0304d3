import { createHash, type Hash } from 'node:crypto';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { type CopyStreamQuery, from } from 'pg-copy-streams';
import { z } from 'zod';
import { readArchive } from './backup-archive.ts';
import type { BackupManifest, BackupTable } from './backup-manifest.ts';
import { SIGNATURE_FILE } from './backup-signature.ts';
import { tableOf } from './inspect-backup.ts';
import { listStoredTables, quoteName } from './stored-tables.ts';

/** References between tables that were taken off, as SQL brings them back. */
type HeldReferences = { restore: string[]; tables: string[] };

const rowSchema = z.object({ table: z.string(), name: z.string(), definition: z.string() });

/**
 * Fills the tables of a freshly migrated database with the rows of a backup, in the caller's transaction: references are checked
 * at the end, all at once. Throws where the schema, a count or a sum is not the manifest's.
 */
export async function loadTables(client: pg.ClientBase, file: string, manifest: BackupManifest): Promise<void> {
  await checkTables(client, manifest);
  const held = await holdReferences(client);
  const names = manifest.tables.map(({ name }) => quoteName(name)).join(', ');
  // What migrations have written for old rows stands in the backup.
  if (names !== '') await client.query(`TRUNCATE ${names}`);

  const loaded = new Set<string>();
  let open: OpenTable | null = null;
  for await (const { name, bytes } of readArchive(file)) {
    if (name === 'manifest.json' || name === SIGNATURE_FILE) continue;
    const table = tableOf(name);
    if (open?.table.name !== table) {
      await open?.finish();
      open = openTable(client, findTable(manifest, table));
      if (loaded.has(table)) throw new Error(`the rows of ${table} do not stand together`);
      loaded.add(table);
    }
    await open.write(bytes);
  }
  await open?.finish();
  const absent = manifest.tables.find(({ name, rows }) => rows > 0 && !loaded.has(name));
  if (absent !== undefined) throw new Error(`it has no rows of ${absent.name}`);

  await releaseReferences(client, held);
  for (const { table, column, last } of manifest.sequences) {
    await client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [quoteName(table), column, last]);
  }
}

/** Every table of the backup is there with its columns, and no other: what is said of the schema holds. */
async function checkTables(client: pg.ClientBase, manifest: BackupManifest): Promise<void> {
  const there = new Map((await listStoredTables(client)).map(({ name, columns }) => [name, new Set(columns)]));
  for (const { name, columns } of manifest.tables) {
    const stored = there.get(name);
    if (stored === undefined) throw new Error(`it has the table ${name}, which its migrations do not make`);
    const unknown = columns.find((column) => !stored.has(column));
    if (unknown !== undefined) throw new Error(`it has ${name}.${unknown}, which its migrations do not make`);
    there.delete(name);
  }
  const [missing] = there.keys();
  if (missing !== undefined) throw new Error(`it has no table ${missing}, which its migrations make`);
}

function findTable(manifest: BackupManifest, name: string): BackupTable {
  const table = manifest.tables.find((one) => one.name === name);
  if (table === undefined) throw new Error(`its manifest does not name the table ${name}`);
  return table;
}

type OpenTable = { table: BackupTable; write(bytes: Uint8Array): Promise<void>; finish(): Promise<void> };

function openTable(client: pg.ClientBase, table: BackupTable): OpenTable {
  const columns = table.columns.map(quoteName).join(', ');
  const sink: CopyStreamQuery = client.query(from(`COPY ${quoteName(table.name)} (${columns}) FROM STDIN`));
  const done = finished(sink);
  // Each write below waits for it too.
  done.catch(() => undefined);
  const hash: Hash = createHash('sha256');
  return {
    table,
    write: async (bytes) => {
      hash.update(bytes);
      const written = new Promise<void>((resolve) => sink.write(bytes, () => resolve()));
      await Promise.race([written, done]);
    },
    finish: async () => {
      sink.end();
      await done;
      if (sink.rowCount !== table.rows)
        throw new Error(`${sink.rowCount} rows of ${table.name} were stored where the manifest says ${table.rows}`);
      if (hash.digest('hex') !== table.sha256)
        throw new Error(`the rows of ${table.name} changed while they were read`);
    },
  };
}

/** Takes the references off and rests the triggers, so that tables can be filled in any order and at full speed. */
async function holdReferences(client: pg.ClientBase): Promise<HeldReferences> {
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
async function releaseReferences(client: pg.ClientBase, held: HeldReferences): Promise<void> {
  for (const statement of held.restore) await client.query(statement);
  for (const table of held.tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}
