import pg from 'pg';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { CHANGES_CHANNEL } from './changes.ts';
import { isContracting } from './contracting-migrations.ts';
import { type Migration, readMigrations } from './read-migrations.ts';
import { MIGRATION_LOCK, MIGRATIONS_TABLE, runMigration } from './run-migration.ts';

/** `unknown`: what a newer version has added to the database, which this one does not need. */
export type AppliedMigrations = { applied: string[]; alreadyThere: number; unknown: string[] };

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
