import type { Database } from './database.ts';

/** The runs that want performing: queued ones, and those that a worker had begun; oldest first. */
export async function unfinishedRunIds(database: Database): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT id FROM runs WHERE status IN ('queued', 'running') ORDER BY number",
  );
  return rows.map((row) => row.id);
}
