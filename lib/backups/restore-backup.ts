import { createHash, type Hash } from 'node:crypto';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { type CopyStreamQuery, from } from 'pg-copy-streams';
import { z } from 'zod';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import {
  MIGRATION_LOCK,
  MIGRATIONS_TABLE,
  type Migration,
  readMigrations,
  runMigration,
} from '#lib/database/apply-migrations.ts';
import { HOLD_LOCK, PROCESS_LOCK } from '#lib/database/locks.ts';
import { readArchive } from './backup-archive.ts';
import type { BackupManifest, BackupTable } from './backup-manifest.ts';
import { SIGNATURE_FILE } from './backup-signature.ts';
import { foreignNote, inspectBackup, tableOf } from './inspect-backup.ts';
import { NOTE_RESTORED } from './stored-schedule.ts';
import { listStoredTables, quoteName } from './stored-tables.ts';

/** Rows that every process writes by itself: a database with no others is empty. */
const OWN_ROWS = new Set(['app_processes', 'facts', 'installation_settings']);

type RestoreRequest = {
  connectionString: string;
  file: string;
  migrationsFolder: string;
  /** Throws away what the database holds. */
  replace: boolean;
  /** What this installation signs backups with; null where it has none yet. */
  key: Buffer | null;
  /** Takes a backup that another installation signed, or nobody. */
  foreign: boolean;
};

/**
 * Brings a database to what a backup holds, in one transaction: the schema as it was then, every row, its references checked by the
 * server, its sums and counts compared before it is committed. Later migrations are left to `applyMigrations`. Only for a database
 * that nobody else works on. Sessions, links that let somebody in, and what processes that are gone had said are not brought back.
 */
export async function restoreBackup(request: RestoreRequest): Promise<Result<BackupManifest>> {
  const { connectionString, file, migrationsFolder, replace, key, foreign } = request;
  const inspected = await inspectBackup(file, key);
  if (!inspected.ok) return inspected;
  const { manifest, signedBy } = inspected.value;
  const note = foreignNote(file, signedBy);
  if (note !== null && !foreign) return fail('conflict', note);
  const known = readMigrations(migrationsFolder);
  const migrations = chooseMigrations(manifest, known);
  if (!migrations.ok) return migrations;

  const client = new pg.Client({ connectionString, options: OPTIONS, application_name: 'hone restore' });
  // Its queries fail where it breaks.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (await isAtWork(client)) return fail('conflict', AT_WORK);
    const occupant = await findOccupant(client, known, { replace });
    if (occupant !== null) return fail('conflict', occupant);
    await client.query('BEGIN');
    await clearDatabase(client);
    await client.query(MIGRATIONS_TABLE);
    for (const migration of migrations.value) await runMigration(client, migration);
    await loadTables(client, file, manifest);
    await endWhatWasUnderWay(client, manifest);
    await client.query('COMMIT');
    await client.query('ANALYZE');
    return succeed(manifest);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail('conflict', `${file} could not be restored: ${reason}. The database is as it was before.`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Nobody waits long for a table that somebody else has. */
const OPTIONS = '-c TimeZone=UTC -c DateStyle=ISO -c client_encoding=UTF8 -c lock_timeout=15000';

const AT_WORK =
  'Hone works on this database. Stop all its processes first, and start them again when it is restored; nothing was changed.';

/** Every process of Hone holds one of two locks for as long as it lives. */
async function isAtWork(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (classid = $1 AND objsubid = 2 OR classid = 0 AND objid = $2 AND objsubid = 1) LIMIT 1`,
    [PROCESS_LOCK, HOLD_LOCK],
  );
  return rows.length > 0;
}

/** What is not brought back, by table: who had signed in signs in again, for what was ended since the backup must not hold again. */
const ENDED: Record<string, string> = {
  sessions: 'DELETE FROM sessions',
  verifications: 'DELETE FROM verifications',
  invitations: 'DELETE FROM invitations',
  sign_in_limits: 'DELETE FROM sign_in_limits',
  app_processes: 'DELETE FROM app_processes',
  inbox_claims: 'DELETE FROM inbox_claims',
  provider_slots: 'UPDATE provider_slots SET holder = NULL, held_until = NULL',
  paid_questions: 'DELETE FROM paid_questions',
  // Its unfinished runs want sending: a backup has no queue.
  facts: NOTE_RESTORED,
};

/** A backup of an older version may not have all of these tables. */
async function endWhatWasUnderWay(client: pg.Client, { tables }: BackupManifest): Promise<void> {
  for (const { name } of tables) {
    const statement = ENDED[name];
    if (statement !== undefined) await client.query(statement);
  }
}

/** The migrations that the backup's schema was made by; refused where this version does not have them all. */
function chooseMigrations({ migrations }: BackupManifest, known: Migration[]): Result<Migration[]> {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  const chosen: Migration[] = [];
  for (const { name, checksum } of migrations) {
    const migration = byName.get(name);
    if (migration === undefined) {
      return fail(
        'conflict',
        `The backup has migration ${name}, which this version of Hone does not know: it was made by a newer version. Restore it with that version.`,
      );
    }
    if (migration.checksum !== checksum) {
      return fail(
        'conflict',
        `Migration ${name} was changed since the backup was made. Bring prisma/migrations/${name}/migration.sql back to what it was.`,
      );
    }
    chosen.push(migration);
  }
  return succeed(chosen);
}

/** Why a backup can't be restored into the database: what is in it; null where nothing is in the way. */
async function findOccupant(
  client: pg.ClientBase,
  migrations: Migration[],
  { replace }: { replace: boolean },
): Promise<string | null> {
  const ours = new Set(
    migrations.flatMap(({ sql }) => [...sql.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?/g)].map(([, n]) => n)),
  );
  const tables = await listStoredTables(client);
  const foreign = tables.filter(({ name }) => !ours.has(name)).map(({ name }) => name);
  if (foreign.length > 0) {
    return `The database has tables that are not Hone's, or of a newer version of it: ${foreign.slice(0, 5).join(', ')}. Restore into a database of Hone's own.`;
  }
  if (replace) return null;
  for (const { name } of tables.filter((table) => !OWN_ROWS.has(table.name))) {
    const { rows } = await client.query(`SELECT 1 FROM ${quoteName(name)} LIMIT 1`);
    if (rows.length > 0) {
      return `The database is not empty: there are ${name}. Restore into an empty one (another HONE_DATA_DIR or DATABASE_URL), or add --replace to throw away what is in it.`;
    }
  }
  return null;
}

/** Takes away all tables and functions of Hone's and its queue, in the caller's transaction. */
async function clearDatabase(client: pg.ClientBase): Promise<void> {
  const names = (await listStoredTables(client)).map(({ name }) => quoteName(name));
  await client.query(`DROP TABLE IF EXISTS ${[...names, '_prisma_migrations'].join(', ')} CASCADE`);
  const { rows } = await client.query<{ name: string }>(
    `SELECT p.oid::regprocedure::text AS name FROM pg_proc p
     WHERE p.pronamespace = current_schema()::regnamespace
       AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  );
  for (const { name } of rows) await client.query(`DROP FUNCTION IF EXISTS ${name} CASCADE`);
  await client.query('DROP SCHEMA IF EXISTS pgboss CASCADE');
}

/** References between tables that were taken off, as SQL brings them back. */
type HeldReferences = { restore: string[]; tables: string[] };

const rowSchema = z.object({ table: z.string(), name: z.string(), definition: z.string() });

/**
 * Fills the tables of a freshly migrated database with the rows of a backup, in the caller's transaction: references are checked
 * at the end, all at once. Throws where the schema, a count or a sum is not the manifest's.
 */
async function loadTables(client: pg.ClientBase, file: string, manifest: BackupManifest): Promise<void> {
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
