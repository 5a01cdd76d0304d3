import type { Database } from '#lib/database/database.ts';
import { SCORED_RUN } from '#lib/runs/list-runs.ts';
import { type ExperimentFlag, experimentFlags } from '#lib/statistics/experiment-flags.ts';

const COUNTS = `
  SELECT count(*) FILTER (WHERE ${SCORED_RUN})::int AS runs, count(*) FILTER (WHERE NOT ${SCORED_RUN})::int AS unscored,
    count(*) FILTER (WHERE ${SCORED_RUN} AND strpos(satisfied, '1') > 0)::int AS ever,
    count(*) FILTER (WHERE ${SCORED_RUN} AND left(satisfied, 1) = '1')::int AS first
  FROM runs r WHERE experiment_id = $1 AND experiment_version = $2 AND finished_at IS NOT NULL AND satisfied <> ''`;

/**
 * Whether the criteria of an experiment seem too hard or too easy, or its runs can't be scored, by the ended runs of one of its versions: a change of the
 * settings begins anew. Reads the rows of the runs alone, not their histories.
 */
export async function findExperimentFlags(
  database: Database,
  experimentId: string,
  version: number,
): Promise<ExperimentFlag[]> {
  const { rows } = await database.pool.query<{ runs: number; unscored: number; ever: number; first: number }>({
    name: 'experiment-flags',
    text: COUNTS,
    values: [experimentId, version],
  });
  const { runs, unscored, ever, first } = rows[0] ?? { runs: 0, unscored: 0, ever: 0, first: 0 };
  return experimentFlags({ runs, unscored, everSatisfactory: ever, firstSatisfactory: first });
}
