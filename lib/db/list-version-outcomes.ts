import type { Database } from './database.ts';

/** What the runs of one version of an experiment's settings came to. `ended` leaves out runs that were stopped before anything was judged; `solved`: some version was satisfactory. */
export type VersionOutcome = { version: number; runs: number; ended: number; solved: number };

const OUTCOMES = `
  SELECT experiment_version AS version, count(*)::int AS runs, count(*) FILTER (WHERE finished_at IS NOT NULL AND (status <> 'stopped' OR satisfied <> ''))::int AS ended,
    count(*) FILTER (WHERE finished_at IS NOT NULL AND strpos(satisfied, '1') > 0)::int AS solved
  FROM runs WHERE experiment_id = $1 AND branched_from_version IS NULL GROUP BY experiment_version`;

/** What the runs of each version came to, branches left out; versions that were not run are missing. */
export async function listVersionOutcomes(database: Database, experimentId: string): Promise<VersionOutcome[]> {
  const { rows } = await database.pool.query<VersionOutcome>({
    name: 'version-outcomes',
    text: OUTCOMES,
    values: [experimentId],
  });
  return rows;
}
