import { type ExperimentFlag, experimentFlags } from '#lib/measures/experiment-flags.ts';
import type { Database } from './database.ts';

const COUNTS = `
  SELECT count(*)::int AS runs,
    count(*) FILTER (WHERE strpos(satisfied, '1') > 0)::int AS ever,
    count(*) FILTER (WHERE left(satisfied, 1) = '1')::int AS first
  FROM runs WHERE experiment_id = $1 AND experiment_version = $2 AND finished_at IS NOT NULL AND satisfied <> ''`;

/**
 * Whether the criteria of an experiment seem too hard or too easy, by the ended runs of one of its versions: a change of the
 * settings begins anew. Reads the rows of the runs alone, not their histories.
 */
export async function findExperimentFlags(
  database: Database,
  experimentId: string,
  version: number,
): Promise<ExperimentFlag[]> {
  const { rows } = await database.pool.query<{ runs: number; ever: number; first: number }>({
    name: 'experiment-flags',
    text: COUNTS,
    values: [experimentId, version],
  });
  const { runs, ever, first } = rows[0] ?? { runs: 0, ever: 0, first: 0 };
  return experimentFlags({ runs, everSatisfactory: ever, firstSatisfactory: first });
}
