import type { Queryable } from '#lib/database/database.ts';

/** The runs that want performing: queued ones, those that a worker had begun, and those with re-scores or a look back to make; oldest first. */
export async function unfinishedRunIds(database: { pool: Queryable }): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM runs WHERE status IN ('queued', 'running')
       OR id IN (SELECT run_id FROM rescores WHERE status = 'waiting' UNION SELECT run_id FROM retrospectives WHERE status = 'waiting') ORDER BY number`,
  );
  return rows.map((row) => row.id);
}
