import type { Database } from '#lib/database/database.ts';

/** As many as a list to choose from can show. */
const MOST = 500;

/** `practice`: a model of its newest settings is the practice model. */
export type ExperimentName = { id: string; name: string; practice: boolean };

/** Experiments that have runs, by name; trials of lessons are left out. */
export async function listExperimentNames({ pool }: Pick<Database, 'pool'>): Promise<ExperimentName[]> {
  const { rows } = await pool.query<ExperimentName>({
    name: 'experiment-names',
    text: `SELECT x.id, x.name, jsonb_path_exists(v.settings, '$.*.provider ? (@ == "practice")') AS practice FROM experiments x
      JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
      WHERE x.origin <> 'trial' AND EXISTS (SELECT 1 FROM runs r WHERE r.experiment_id = x.id) ORDER BY lower(x.name), x.id LIMIT ${MOST}`,
  });
  return rows;
}
