import { contractingMigrations } from '#lib/database/apply-migrations.ts';
import { isUnchanged, type Mark, markChanges } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { runPeriodically } from './run-periodically.ts';

/** How often it is looked whether the schema has changed under this process, in milliseconds; where changes are announced, only after one. */
const LOOK_MS = 3_000;

/**
 * Looks from now on whether a newer version has taken away something of the schema that this one works with. `onContracted` is called
 * once, with the names of the migrations. The answer ends it.
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
