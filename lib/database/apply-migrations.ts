import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { CHANGES_CHANNEL } from './changes.ts';
import type { Database } from './database.ts';

/**
 * Whether a migration takes away or narrows something, so that older versions cannot work with the schema any more: its name says so.
 * All others only add, and older versions work on beside them.
 */
export function isContracting(name: string): boolean {
  return name.includes('contract');
}

/** The migrations of the database that this version does not know and that take away something, oldest first. */
export async function contractingMigrations(
  { prisma }: Pick<Database, 'prisma'>,
  known: readonly string[],
): Promise<string[]> {
  const applied = await prisma.$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`;
  return applied.flatMap(({ name }) => (isContracting(name) && !known.includes(name) ? name : []));
}

/** Whether the database has a table of this name: before the first migration it has none. */
export async function hasTable({ prisma }: Pick<Database, 'prisma'>, name: string): Promise<boolean> {
  const [found] = await prisma.$queryRaw<{ isThere: boolean }[]>`SELECT to_regclass(${name}) IS NOT NULL AS "isThere"`;
  return found?.isThere === true;
}

/** One change of the schema. `checksum`: SHA-256 of its file, in hexadecimal. */
export type Migration = { name: string; sql: string; checksum: string };

/** The migrations in `folder`, sorted by name, which begins with the time. */
export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  return names.sort().map((name) => {
    const bytes = readFileSync(path.join(folder, name, 'migration.sql'));
    return { name, sql: bytes.toString('utf8'), checksum: createHash('sha256').update(bytes).digest('hex') };
  });
}

/** The number `prisma migrate deploy` locks too, so that the two never work at the same time. */
export const MIGRATION_LOCK = 72_707_369;

/** As `prisma migrate` creates it. */
export const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/** Applies a migration and records it as `prisma migrate` does, both in the caller's transaction. */
export async function runMigration(client: pg.Client, migration: Migration): Promise<void> {
  const startedAt = new Date();
  await client.query(migration.sql);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
     VALUES ($1, $2, now(), $3, $4, 1)`,
    [randomUUID(), migration.checksum, migration.name, startedAt],
  );
}

/** `unknown`: what a newer version has added to the database, which this one does not need. */
type AppliedMigrations = { applied: string[]; alreadyThere: number; unknown: string[] };

/** Called with the names of what is about to be applied to a database that has been in use; a failure stops it. */
export type BeforeMigrations = (missing: string[]) => Promise<Result<unknown>>;

/**
 * Brings the database up to the migrations in `folder`, each in a transaction, recorded as `prisma migrate` records them.
 * Refuses to go on when one that was applied has been changed, when one that takes something away is missing here, or when one
 * failed half way before.
 */
export async function applyMigrations(
  connectionString: string,
  folder: string,
  before: BeforeMigrations = async () => succeed(null),
): Promise<Result<AppliedMigrations>> {
  const client = new pg.Client({ connectionString, options: '-c TimeZone=UTC', application_name: 'hone migrations' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(MIGRATIONS_TABLE);
    return await applyMissing(client, readMigrations(folder), before);
  } finally {
    await client.end();
  }
}

type Recorded = { migration_name: string; checksum: string; finished_at: Date | null };

async function applyMissing(
  client: pg.Client,
  migrations: Migration[],
  before: BeforeMigrations,
): Promise<Result<AppliedMigrations>> {
  const { rows } = await client.query<Recorded>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  const refusal = findRefusal(rows, migrations);
  if (refusal !== null) return fail('conflict', refusal);
  const known = new Set(rows.map((row) => row.migration_name));
  const missing = migrations.filter((migration) => !known.has(migration.name));
  if (missing.length > 0 && rows.length > 0) {
    const ready = await before(missing.map((migration) => migration.name));
    if (!ready.ok) return ready;
  }
  for (const migration of missing) {
    const failure = await applyOne(client, migration);
    if (failure !== null) return fail('unavailable', failure);
  }
  // Older versions that work on this database look whether they still can.
  if (missing.length > 0) await client.query("SELECT pg_notify($1, 'schema')", [CHANGES_CHANNEL]);
  const ours = new Set(migrations.map(({ name }) => name));
  const unknown = [...known].filter((name) => !ours.has(name)).sort();
  return succeed({ applied: missing.map((migration) => migration.name), alreadyThere: rows.length, unknown });
}

function findRefusal(rows: Recorded[], migrations: Migration[]): string | null {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of rows) {
    const migration = byName.get(row.migration_name);
    if (row.finished_at === null) {
      return `Migration ${row.migration_name} failed half way before. Restore the database from a backup, or mend it and run \`prisma migrate resolve\`.`;
    }
    if (migration === undefined) {
      if (!isContracting(row.migration_name)) continue;
      return `The database has migration ${row.migration_name}, which this version of Hone does not know: a newer version has taken away something that this one needs. Start that version, or use another data folder.`;
    }
    if (migration.checksum !== row.checksum) {
      return `Migration ${row.migration_name} was changed after it was applied to this database. Bring prisma/migrations/${row.migration_name}/migration.sql back to what it was, and make a new migration for the change.`;
    }
  }
  return null;
}

/** Answers null, or why it could not be applied; the database is then as it was before it. */
async function applyOne(client: pg.Client, migration: Migration): Promise<string | null> {
  await client.query('BEGIN');
  try {
    await runMigration(client, migration);
    await client.query('COMMIT');
    return null;
  } catch (error) {
    await client.query('ROLLBACK');
    if (!(error instanceof pg.DatabaseError)) throw error;
    return `Migration ${migration.name} could not be applied: ${error.message}. The database is as it was before it.`;
  }
}
