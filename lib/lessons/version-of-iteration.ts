import type { Database } from '#lib/database/database.ts';

const FIND = `
  SELECT (SELECT max(v.number) FROM reflection_versions v WHERE v.run_id = r.id AND v.iteration = $2) AS version FROM runs r WHERE r.id = $1`;

/** The last version that a run made in an iteration: null where it made none in it, undefined where there is no such run. */
export async function versionOfIteration(
  { pool }: Pick<Database, 'pool'>,
  runId: string,
  iteration: number | null,
): Promise<number | null | undefined> {
  const { rows } = await pool.query<{ version: number | null }>(FIND, [runId, iteration]);
  return rows[0]?.version;
}
