import type { Queryable } from '#lib/database/database.ts';

/** Whether there is this version (counted from 0) of a run. */
export async function hasRunVersion(connection: Queryable, runId: string, version: number): Promise<boolean> {
  const { rows } = await connection.query('SELECT 1 FROM reflection_versions WHERE run_id = $1 AND number = $2', [
    runId,
    version,
  ]);
  return rows.length > 0;
}
