import { createHash, type Hash } from 'node:crypto';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { MIGRATIONS_TABLE, type Migration, migrationSql, readMigrations } from '#lib/database/apply-migrations.ts';
import { withClient } from '#lib/database/connections.ts';
import { isDatabaseInUse, takeLock } from '#lib/database/locks.ts';
import { isUnreachable } from '#lib/database/retry-while-unreachable.ts';
import { readArchive } from './backup-archive.ts';
import { type BackupManifest, type BackupTable, SIGNATURE_FILE } from './backup-manifest.ts';
import { inspectBackup, tableOf, unsignedWarning } from './inspect-backup.ts';
import {
  fillTable,
  findFilledTable,
  listFunctions,
  listReferences,
  listStoredTables,
  quoteName,
  runStatements,
} from './queries.ts';

/** Tables with rows that every process writes. A database with no other rows counts as empty. */
const IGNORED_TABLES = new Set(['app_processes', 'facts', 'installation_settings']);

type RestoreRequest = {
  connectionString: string;
  file: string;
  migrationsFolder: string;
  /** Discards the current contents of the database. */
  replace: boolean;
  /** This installation's key for signing backups. Null if it has none yet. */
  key: Buffer | null;
  /** Accepts a backup that is unsigned or signed by another installation. */
  foreign: boolean;
};

/**
 * Restores a database from a backup in one transaction: the schema of that time and every row. The server checks references, and counts and
 * hashes are compared before the commit. Later migrations are left to `applyMigrations`. Nothing else may use the database. Sessions, join
 * links and the state of former processes are not restored.
 */
export async function restoreBackup(request: RestoreRequest): Promise<Result<BackupManifest>> {
  const { connectionString, file, migrationsFolder, replace, key, foreign } = request;
  const inspected = await inspectBackup(file, key);
  if (!inspected.ok) return inspected;
  const { manifest, signedBy } = inspected.value;
  const note = unsignedWarning(file, signedBy);
  if (note !== null && !foreign) return fail('conflict', note);
  const known = readMigrations(migrationsFolder);
  const migrations = chooseMigrations(manifest, known);
  if (!migrations.ok) return migrations;

  let isCommitting = false;
  const restore = async (client: pg.Client) => {
    await takeLock(client, 'migrations');
    if (await isDatabaseInUse(client)) return fail('conflict', HONE_RUNNING_MESSAGE);
    const occupant = await findOccupant(client, known, { replace });
    if (occupant !== null) return fail('conflict', occupant);
    const clear = await clearStatements(client);
    await runStatements(client, ['BEGIN', ...clear, MIGRATIONS_TABLE, ...migrations.value.map(migrationSql)]);
    await loadTables(client, file, manifest);
    await runStatements(client, listCleanupStatements(manifest));
    isCommitting = true;
    await runStatements(client, ['COMMIT']);
    // Only makes the first queries faster. The restore is complete without it, and PostgreSQL repeats it later.
    await runStatements(client, ['ANALYZE']).catch(() => undefined);
    return succeed(manifest);
  };
  try {
    return await withClient(connectionString, restore, { settings: SETTINGS, application_name: 'hone restore' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (isCommitting && isUnreachable(error))
      return fail(
        'unavailable',
        `The connection was lost when the restore of ${file} was committed: ${reason}. It is unknown if the restore is complete. Restore it again with --replace.`,
      );
    return fail('conflict', `${file} could not be restored: ${reason}. The database is as it was before.`);
  }
}

/** Short lock timeout, so that a table in use fails the restore quickly. */
const SETTINGS = ['client_encoding=UTF8', 'lock_timeout=15000'];

const HONE_RUNNING_MESSAGE =
  'Hone is running on this database. Nothing was changed. Stop all Hone processes first, and start them again after the restore.';

/**
 * Statements for data that is not restored, by table. Everyone must sign in again, because access revoked since the backup must not become
 * valid again.
 */
const CLEANUP_STATEMENTS: Record<string, string> = {
  sessions: 'DELETE FROM sessions',
  verifications: 'DELETE FROM verifications',
  invitations: 'DELETE FROM invitations',
  sign_in_limits: 'DELETE FROM sign_in_limits',
  app_processes: 'DELETE FROM app_processes',
  inbox_claims: 'DELETE FROM inbox_claims',
  provider_slots: 'UPDATE provider_slots SET holder = NULL, held_until = NULL',
  paid_questions: 'DELETE FROM paid_questions',
  // Unfinished runs must be queued again, because a backup contains no queue.
  facts: "INSERT INTO facts (name, at) VALUES ('restored', now()) ON CONFLICT (name) DO UPDATE SET at = now()",
};

/** A backup of an older version may lack some of these tables. */
function listCleanupStatements({ tables }: BackupManifest): string[] {
  return tables.flatMap(({ name }) => CLEANUP_STATEMENTS[name] ?? []);
}

/** Returns the migrations that created the backup's schema. Returns an error if this version lacks any of them. */
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
        `Migration ${name} was changed since the backup was made. Restore the original prisma/migrations/${name}/migration.sql.`,
      );
    }
    chosen.push(migration);
  }
  return succeed(chosen);
}

/** Returns the data in the database that prevents a restore. Null if nothing does. */
async function findOccupant(
  client: pg.ClientBase,
  migrations: Migration[],
  { replace }: { replace: boolean },
): Promise<string | null> {
  const ours = new Set(
    migrations.flatMap(({ sql }) => [...sql.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?/g)].map(([, n]) => n)),
  );
  const tables = await listStoredTables(client);
  const unknown = tables.filter(({ name }) => !ours.has(name)).map(({ name }) => name);
  if (unknown.length > 0) {
    return `The database has tables that do not belong to this version of Hone: ${unknown.slice(0, 5).join(', ')}. Restore into a database that only Hone uses.`;
  }
  if (replace) return null;
  const others = tables.flatMap(({ name }) => (IGNORED_TABLES.has(name) ? [] : name));
  const filled = await findFilledTable(client, others);
  if (filled === null) return null;
  return `The database is not empty: there are ${filled}. Restore into an empty one (another HONE_DATA_DIR or DATABASE_URL), or add --replace to replace its data.`;
}

async function clearStatements(client: pg.ClientBase): Promise<string[]> {
  const tables = (await listStoredTables(client)).map(({ name }) => quoteName(name));
  return [
    `DROP TABLE IF EXISTS ${[...tables, '_prisma_migrations'].join(', ')} CASCADE`,
    ...(await listFunctions(client)).map((name) => `DROP FUNCTION IF EXISTS ${name} CASCADE`),
    'DROP SCHEMA IF EXISTS pgboss CASCADE',
  ];
}

/**
 * Loads the rows of a backup into a freshly migrated database, in the caller's transaction. All references are checked at the end. Throws
 * if the schema, a count or a hash differs from the manifest.
 */
async function loadTables(client: pg.ClientBase, file: string, manifest: BackupManifest): Promise<void> {
  await checkTables(client, manifest);
  const references = await referenceStatements(client);
  await runStatements(client, references.hold);
  const names = manifest.tables.map(({ name }) => quoteName(name)).join(', ');
  // Removes rows inserted by migrations, because the backup contains them.
  if (names !== '') await runStatements(client, [`TRUNCATE ${names}`]);

  const loaded = new Set<string>();
  let open: OpenTable | null = null;
  for await (const { name, bytes } of readArchive(file)) {
    if (name === 'manifest.json' || name === SIGNATURE_FILE) continue;
    const table = tableOf(name);
    if (open?.table.name !== table) {
      await open?.finish();
      open = openTable(client, findTable(manifest, table));
      if (loaded.has(table)) throw new Error(`the rows of ${table} are not stored together`);
      loaded.add(table);
    }
    await open.write(bytes);
  }
  await open?.finish();
  const absent = manifest.tables.find(({ name, rows }) => rows > 0 && !loaded.has(name));
  if (absent !== undefined) throw new Error(`it has no rows of ${absent.name}`);

  // The server checks every row and throws if a reference is invalid.
  await runStatements(client, references.release);
  const sequences = manifest.sequences.map(({ table, column, last }) => {
    const owner = [quoteName(table), column].map((name) => pg.escapeLiteral(name)).join(', ');
    return `SELECT setval(pg_get_serial_sequence(${owner}), ${last})`;
  });
  await runStatements(client, sequences);
}

/** Checks that the tables and columns of the backup match the schema. Throws if a table or column is missing or unknown. */
async function checkTables(client: pg.ClientBase, manifest: BackupManifest): Promise<void> {
  const there = new Map((await listStoredTables(client)).map(({ name, columns }) => [name, new Set(columns)]));
  for (const { name, columns } of manifest.tables) {
    const stored = there.get(name);
    if (stored === undefined) throw new Error(`it has the table ${name}, which its migrations do not create`);
    const unknown = columns.find((column) => !stored.has(column));
    if (unknown !== undefined) throw new Error(`it has ${name}.${unknown}, which its migrations do not create`);
    there.delete(name);
  }
  const [missing] = there.keys();
  if (missing !== undefined) throw new Error(`it has no table ${missing}, which its migrations create`);
}

function findTable(manifest: BackupManifest, name: string): BackupTable {
  const table = manifest.tables.find((one) => one.name === name);
  if (table === undefined) throw new Error(`its manifest does not name the table ${name}`);
  return table;
}

type OpenTable = { table: BackupTable; write(bytes: Uint8Array): Promise<void>; finish(): Promise<void> };

function openTable(client: pg.ClientBase, table: BackupTable): OpenTable {
  const sink = fillTable(client, table);
  const done = finished(sink);
  // Each write below also awaits `done`. This avoids an unhandled rejection.
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
        throw new Error(`${sink.rowCount} rows of ${table.name} were stored, but the manifest lists ${table.rows}`);
      if (hash.digest('hex') !== table.sha256)
        throw new Error(`the rows of ${table.name} changed while they were read`);
    },
  };
}

/**
 * Returns statements that drop the foreign keys and disable the triggers, to load tables fast and in any order, and statements that restore
 * both.
 */
async function referenceStatements(client: pg.ClientBase): Promise<{ hold: string[]; release: string[] }> {
  const tables = (await listStoredTables(client)).map(({ name }) => `ALTER TABLE ${quoteName(name)}`);
  const references = (await listReferences(client)).map(({ table, name, definition }) => {
    const constraint = `CONSTRAINT ${quoteName(name)}`;
    const change = `ALTER TABLE ${quoteName(table)}`;
    return { drop: `${change} DROP ${constraint}`, add: `${change} ADD ${constraint} ${definition}` };
  });
  return {
    hold: [...references.map(({ drop }) => drop), ...tables.map((table) => `${table} DISABLE TRIGGER USER`)],
    release: [...references.map(({ add }) => add), ...tables.map((table) => `${table} ENABLE TRIGGER USER`)],
  };
}
