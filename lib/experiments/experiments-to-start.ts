import type { Database } from '#lib/database/database.ts';

export type ExperimentToStart = { id: string; name: string };

/** Experiments of a name, whatever its case; the newest first, at most three. */
export async function experimentsNamed({ pool }: Pick<Database, 'pool'>, name: string): Promise<ExperimentToStart[]> {
  const { rows } = await pool.query<ExperimentToStart>(
    `SELECT id, name FROM experiments WHERE lower(name) = lower($1) AND origin IN ('made', 'control')
     ORDER BY created_at DESC, id LIMIT 3`,
    [name],
  );
  return rows;
}

/** Names of the experiments that were changed last and can be started, each once. */
export async function latestExperimentNames({ pool }: Pick<Database, 'pool'>, most: number): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT name FROM experiments WHERE origin IN ('made', 'control') GROUP BY name ORDER BY max(updated_at) DESC, name LIMIT $1`,
    [most],
  );
  return rows.map(({ name }) => name);
}
