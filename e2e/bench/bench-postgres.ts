import path from 'node:path';
import { applyMigrations } from '#lib/database/apply-migrations.ts';
import { startEmbeddedPostgres } from '#lib/embedded-database/embedded-postgres.ts';

/** Starts a migrated PostgreSQL in a folder. Throws if it does not start. */
export async function startBenchPostgres(dataFolder: string) {
  const { signal } = new AbortController();
  const started = await startEmbeddedPostgres({ dataFolder, log: () => undefined, signal });
  if (!started.ok) throw new Error(started.problem.message);
  const migrated = await applyMigrations(started.value.connectionString, path.resolve('prisma/migrations'));
  if (!migrated.ok) {
    await started.value.stop();
    throw new Error(migrated.problem.message);
  }
  return started.value;
}
