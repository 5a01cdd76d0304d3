import { contractingMigrations } from '#lib/database/apply-migrations.ts';
import { isUnchanged, type Mark, markChanges } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { isUnreachable } from '#lib/database/while-unreachable.ts';
import { getLog } from '#lib/log/log.ts';

/** How often it is looked whether the schema has changed under this process, in milliseconds; where changes are announced, only after one. */
const LOOK_MS = 3_000;

/**
 * Looks from now on whether a newer version has taken away something of the schema that this one works with. `onContracted` is called
 * once, with the names of the migrations. The answer ends it.
 */
export function watchSchema(
  database: Pick<Database, 'pool' | 'prisma'>,
  known: readonly string[],
  onContracted: (migrations: string[]) => void,
): () => void {
  let isLooking = false;
  let mark: Mark | null = null;
  async function look(): Promise<void> {
    if (mark !== null && isUnchanged(database, mark, ['schema'])) return;
    const before = markChanges(database);
    const found = await contractingMigrations(database, known);
    mark = before;
    if (found.length === 0) return;
    clearInterval(looking);
    onContracted(found);
  }
  const looking = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) => {
        if (!isUnreachable(error)) getLog().error('looking at the schema', error);
      })
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_MS).unref();
  return () => clearInterval(looking);
}
