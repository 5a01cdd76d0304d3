import type pg from 'pg';
import type { Migration } from '#lib/database/apply-migrations.ts';
import { listStoredTables, quoteName } from './stored-tables.ts';

/** Rows that every process writes by itself: a database with no others is empty. */
const OWN_ROWS = new Set(['app_processes', 'facts', 'installation_settings']);

/** Why a backup can't be restored into the database: what is in it; null where nothing is in the way. */
export async function findOccupant(
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
export async function clearDatabase(client: pg.ClientBase): Promise<void> {
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
