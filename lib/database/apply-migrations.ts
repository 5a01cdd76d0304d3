import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { CHANGES_CHANNEL } from './changes.ts';
import { withClient } from './connections.ts';
import type { Database, Queryable } from './database.ts';
import { takeLock } from './locks.ts';

/**
 * True if older versions no longer work with the database after a migration: it removes or narrows something, or from then on data is
 * stored in a new form. This is part of its name. All others only add, and older versions continue to work.
 */
export function isContracting(name: string): boolean {
  return name.includes('contract');
}

/** Returns the database's contracting migrations that this version does not know, oldest first. */
export async function contractingMigrations(
  { pool }: Pick<Database, 'pool'>,
  known: readonly string[],
): Promise<string[]> {
  const recorded = await listRecorded(pool);
  return recorded.flatMap(({ name }) => (isContracting(name) && !known.includes(name) ? name : []));
}

type Recorded = { name: string; checksum: string; finishedAt: Date | null };

/** Returns the migrations that were applied and not rolled back, oldest first. */
export async function listRecorded(connection: Queryable): Promise<Recorded[]> {
  const { rows } = await connection.query<Recorded>(
    `SELECT migration_name AS name, checksum, finished_at AS "finishedAt" FROM _prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return rows;
}

/** True if the database has a table with this name. It has none before the first migration. */
export async function hasTable(connection: Queryable, name: string): Promise<boolean> {
  const { rows } = await connection.query('SELECT to_regclass($1) AS found', [name]);
  return rows[0]?.found !== null;
}

/** A schema change. `checksum`: SHA-256 of its file, in hexadecimal. */
export type Migration = { name: string; sql: string; checksum: string };

/** Returns the migrations in `folder`, sorted by name, which starts with the time. */
export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  return names.sort().map((name) => {
    const bytes = readFileSync(path.join(folder, name, 'migration.sql'));
    return { name, sql: bytes.toString('utf8'), checksum: createHash('sha256').update(bytes).digest('hex') };
  });
}

/** Identical to the table that `prisma migrate` creates. */
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

/**
 * Returns SQL for one transaction that applies a migration and records it like `prisma migrate`. It also notifies older versions on this
 * database, which then check their compatibility.
 */
export function migrationSql({ name, sql, checksum }: Migration): string {
  const values = [randomUUID(), checksum, name].map((value) => pg.escapeLiteral(value));
  return `${sql};
INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES (${values.join(', ')}, clock_timestamp(), 1);
SELECT pg_notify('${CHANGES_CHANNEL}', 'schema')`;
}

/** `unknown`: migrations of a newer version, which this one does not need. */
type AppliedMigrations = { applied: string[]; unknown: string[] };

/** Called with the names of the pending migrations of a database that has been in use. A failure prevents them. */
export type BeforeMigrations = (missing: string[]) => Promise<Result<unknown>>;

/**
 * Applies the migrations in `folder` to the database, each in a transaction, recorded like `prisma migrate`. Fails if an applied migration
 * was changed, if a contracting one is missing in `folder`, or if one failed halfway before.
 */
export async function applyMigrations(
  connectionString: string,
  folder: string,
  before: BeforeMigrations = async () => succeed(null),
): Promise<Result<AppliedMigrations>> {
  const work = async (client: pg.Client) => {
    await takeLock(client, 'migrations');
    await client.query(MIGRATIONS_TABLE);
    return applyMissing(client, readMigrations(folder), before);
  };
  return withClient(connectionString, work, { application_name: 'hone migrations' });
}

async function applyMissing(
  client: pg.Client,
  migrations: Migration[],
  before: BeforeMigrations,
): Promise<Result<AppliedMigrations>> {
  const recorded = await listRecorded(client);
  const refusal = findMigrationProblem(recorded, migrations);
  if (refusal !== null) return fail('conflict', refusal);
  const known = new Set(recorded.map(({ name }) => name));
  const missing = migrations.filter((migration) => !known.has(migration.name));
  if (missing.length > 0 && recorded.length > 0) {
    const ready = await before(missing.map((migration) => migration.name));
    if (!ready.ok) return ready;
  }
  for (const migration of missing) {
    const failure = await applyOne(client, migration);
    if (failure !== null) return fail('unavailable', failure);
  }
  if (recorded.length > 0) for (const table of new Set(missing.flatMap(rewrittenTables))) await tidy(client, table);
  const ours = new Set(migrations.map(({ name }) => name));
  const unknown = [...known].filter((name) => !ours.has(name)).sort();
  return succeed({ applied: missing.map((migration) => migration.name), unknown });
}

function findMigrationProblem(recorded: Recorded[], migrations: Migration[]): string | null {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum, finishedAt } of recorded) {
    const migration = byName.get(name);
    if (finishedAt === null) {
      return `Migration ${name} failed earlier and was not completed. Restore the database from a backup, or fix it and run \`prisma migrate resolve\`.`;
    }
    if (migration === undefined) {
      if (!isContracting(name)) continue;
      return `The database has migration ${name}, which this version of Hone does not know. A newer version changed something that this version needs. Start the newer version, or use another data directory.`;
    }
    if (migration.checksum !== checksum) {
      return `Migration ${name} was changed after it was applied to this database. Restore prisma/migrations/${name}/migration.sql, and create a new migration for the change.`;
    }
  }
  return null;
}

/** Returns null, or the reason why the migration could not be applied. It was then rolled back. */
async function applyOne(client: pg.Client, migration: Migration): Promise<string | null> {
  try {
    await client.query(`BEGIN;\n${migrationSql(migration)};\nCOMMIT`);
    return null;
  } catch (error) {
    await client.query('ROLLBACK');
    if (!(error instanceof pg.DatabaseError)) throw error;
    return `Migration ${migration.name} could not be applied: ${error.message}. The database is as it was before it.`;
  }
}

/** Returns the tables that a migration rewrites, from its lines `-- rewrites: table`. */
function rewrittenTables({ sql }: Migration): string[] {
  return [...sql.matchAll(/^-- rewrites: (\w+)$/gm)].map(([, table = '']) => table);
}

/**
 * Vacuums and analyzes a table. After a rewrite, PostgreSQL knows neither which rows an index alone can answer nor what the table contains,
 * and its autovacuum does not notice. Without this step, queries are only slower, so its failure is ignored.
 */
async function tidy(client: pg.Client, table: string): Promise<void> {
  await client.query(`VACUUM (ANALYZE) ${pg.escapeIdentifier(table)}`).catch(() => undefined);
}
