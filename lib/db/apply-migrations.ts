import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';

export type AppliedMigrations = { applied: string[]; alreadyThere: number };

/** The number `prisma migrate deploy` locks too, so that the two never work at the same time. */
const MIGRATION_LOCK = 72_707_369;

/**
 * Brings the database up to the migrations in `folder`, each in a transaction, recorded as `prisma migrate` records them.
 * Refuses to go on when one that was applied has been changed or is missing here, or when one failed half way before.
 */
export async function applyMigrations(connectionString: string, folder: string): Promise<Result<AppliedMigrations>> {
  const client = new pg.Client({ connectionString, options: '-c TimeZone=UTC', application_name: 'hone migrations' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(MIGRATIONS_TABLE);
    return await applyMissing(client, readMigrations(folder));
  } finally {
    await client.end();
  }
}

type Migration = { name: string; sql: string; checksum: string };

/** Sorted by name, which begins with the time. */
function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  return names.sort().map((name) => {
    const bytes = readFileSync(path.join(folder, name, 'migration.sql'));
    return { name, sql: bytes.toString('utf8'), checksum: createHash('sha256').update(bytes).digest('hex') };
  });
}

type Recorded = { migration_name: string; checksum: string; finished_at: Date | null };

async function applyMissing(client: pg.Client, migrations: Migration[]): Promise<Result<AppliedMigrations>> {
  const { rows } = await client.query<Recorded>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  const refusal = findRefusal(rows, migrations);
  if (refusal !== null) return fail('conflict', refusal);
  const known = new Set(rows.map((row) => row.migration_name));
  const missing = migrations.filter((migration) => !known.has(migration.name));
  for (const migration of missing) {
    const failure = await applyOne(client, migration);
    if (failure !== null) return fail('unavailable', failure);
  }
  return succeed({ applied: missing.map((migration) => migration.name), alreadyThere: rows.length });
}

function findRefusal(rows: Recorded[], migrations: Migration[]): string | null {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of rows) {
    const migration = byName.get(row.migration_name);
    if (row.finished_at === null) {
      return `Migration ${row.migration_name} failed half way before. Restore the database from a backup, or mend it and run \`prisma migrate resolve\`.`;
    }
    if (migration === undefined) {
      return `The database has migration ${row.migration_name}, which this version of Hone does not know: it was used by a newer version. Start that version, or use another data folder.`;
    }
    if (migration.checksum !== row.checksum) {
      return `Migration ${row.migration_name} was changed after it was applied to this database. Bring prisma/migrations/${row.migration_name}/migration.sql back to what it was, and make a new migration for the change.`;
    }
  }
  return null;
}

/** Answers null, or why it could not be applied; the database is then as it was before it. */
async function applyOne(client: pg.Client, migration: Migration): Promise<string | null> {
  const startedAt = new Date();
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
       VALUES ($1, $2, now(), $3, $4, 1)`,
      [randomUUID(), migration.checksum, migration.name, startedAt],
    );
    await client.query('COMMIT');
    return null;
  } catch (error) {
    await client.query('ROLLBACK');
    if (!(error instanceof pg.DatabaseError)) throw error;
    return `Migration ${migration.name} could not be applied: ${error.message}. The database is as it was before it.`;
  }
}

/** As `prisma migrate` creates it. */
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;
