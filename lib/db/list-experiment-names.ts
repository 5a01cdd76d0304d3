import type { Database } from './database.ts';

/** As many as a list to choose from can show. */
const MOST = 500;

/** Experiments that have runs, by name; trials of lessons are left out. */
export async function listExperimentNames({ pool }: Pick<Database, 'pool'>): Promise<{ id: string; name: string }[]> {
  const { rows } = await pool.query<{ id: string; name: string }>({
    name: 'experiment-names',
    text: `SELECT x.id, x.name FROM experiments x
      WHERE x.origin <> 'trial' AND EXISTS (SELECT 1 FROM runs r WHERE r.experiment_id = x.id) ORDER BY lower(x.name), x.id LIMIT ${MOST}`,
  });
  return rows;
}
