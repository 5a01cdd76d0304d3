import { contractingMigrations } from '#lib/database/apply-migrations.ts';
import { isUnchanged, type Mark, markChanges } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { runPeriodically } from './run-periodically.ts';

/** Interval of checks for schema changes, in milliseconds. If changes are announced, queries only after one. */
const LOOK_MS = 3_000;

/**
 * Starts checking if a newer version has changed the database so that this version no longer works with it. Calls `onContracted` once,
 * with the names of the migrations. Returns a function that stops the checks.
 */
export function watchSchema(
  database: Pick<Database, 'pool'>,
  known: readonly string[],
  onContracted: (migrations: string[]) => void,
): () => void {
  let mark: Mark | null = null;
  const stop = runPeriodically('looking at the schema', LOOK_MS, look, { quietWhileAway: true });
  async function look(): Promise<void> {
    if (mark !== null && isUnchanged(database, mark, ['schema'])) return;
    const before = markChanges(database);
    const found = await contractingMigrations(database, known);
    mark = before;
    if (found.length === 0) return;
    void stop();
    onContracted(found);
  }
  return () => void stop();
}
