import type { Database } from '#lib/database/database.ts';
import { inTransaction } from '#lib/database/transactions.ts';

/** The amounts of the function `run_amounts` and `run_totals`, in the order of their columns. */
export const RUN_AMOUNTS: readonly string[] = [
  'runs',
  'ended',
  'unscored',
  'solved',
  'waiting',
  'under_way',
  'judged',
  'unscorable',
  'ever_satisfactory',
  'first_satisfactory',
  'first_scored',
  'best_scored',
  'unpriced',
  'first_scores',
  'best_scores',
  'cost_usd',
  'own_runs',
  'measured',
  'measured_solved',
  'measured_unpriced',
  'evaluations',
  'unscored_evaluations',
  'final_better_of',
  'final_better_met',
  'scored_runs',
  'solved_within_2',
  'solved_within_3',
  'ended_by_rule_of',
  'ended_by_rule_met',
  ...['issues', 'corrected', 'introduced', 'repeats'].flatMap((share) =>
    ['met', 'of', 'clusters', 'met_met', 'met_of', 'of_of'].map((part) => `${share}_${part}`),
  ),
  'gained',
  'gain',
  'measured_cost_usd',
];

/**
 * The amounts of the runs of an experiment, as rows to be summed up: one or few for each version of its settings, and one for each run that
 * changed just now or is under way. `experiment` names its id. However many runs have ended, few rows are read.
 */
export function totalsOf(experiment: string, amounts: readonly string[]): string {
  const columns = amounts.join(', ');
  return `(SELECT experiment_version, ${columns} FROM run_totals WHERE experiment_id = ${experiment}
    UNION ALL SELECT each_run.experiment_version, ${amounts.map((amount) => `each_run.${amount}`).join(', ')}
    FROM uncounted_runs JOIN run_amounts() each_run USING (run_id) WHERE uncounted_runs.experiment_id = ${experiment})`;
}

/** A number of `pg_try_advisory_xact_lock`: one process counts at a time. */
const COUNTING_LOCK = 72_707_371;
/** Runs that are counted in one transaction. */
export const COUNTED_AT_ONCE = 1_000;

/** Whether a run stays as it is for now: it has ended, or has waited for a person for longer than machines take to answer. */
const SETTLED = `(r.status IN ('finished', 'failed', 'stopped') OR (r.status = 'waiting' AND (r.pause->>'since')::timestamptz < $1::timestamptz - interval '1 minute'))`;

const PICK = `
  SELECT u.run_id AS id FROM uncounted_runs u JOIN runs r ON r.id = u.run_id WHERE ${SETTLED}
  LIMIT ${COUNTED_AT_ONCE} FOR UPDATE OF u SKIP LOCKED`;

// What is read here is read after the rows were locked: whoever changes such a run afterwards waits, and takes it out of the totals again.
const COUNT = `
  WITH settled AS (SELECT r.id FROM runs r WHERE r.id = ANY ($2::uuid[]) AND ${SETTLED}),
  counted AS (DELETE FROM uncounted_runs WHERE run_id IN (SELECT id FROM settled))
  INSERT INTO run_totals (experiment_id, experiment_version, ${RUN_AMOUNTS.join(', ')})
  SELECT experiment_id, experiment_version, ${RUN_AMOUNTS.map((amount) => `sum(${amount})`).join(', ')}
  FROM run_amounts() WHERE run_id IN (SELECT id FROM settled) GROUP BY experiment_id, experiment_version`;

const MERGE = `
  WITH repeated AS (
    SELECT experiment_id, experiment_version FROM run_totals GROUP BY 1, 2 HAVING count(*) > 1
    UNION SELECT t.experiment_id, t.experiment_version FROM run_totals t WHERE NOT EXISTS (SELECT FROM experiments x WHERE x.id = t.experiment_id)),
  taken AS (DELETE FROM run_totals t USING repeated p
    WHERE t.experiment_id = p.experiment_id AND t.experiment_version = p.experiment_version RETURNING t.*)
  INSERT INTO run_totals (experiment_id, experiment_version, ${RUN_AMOUNTS.join(', ')})
  SELECT experiment_id, experiment_version, ${RUN_AMOUNTS.map((amount) => `sum(${amount})`).join(', ')}
  FROM taken WHERE EXISTS (SELECT FROM experiments x WHERE x.id = taken.experiment_id) GROUP BY experiment_id, experiment_version`;

/**
 * Adds runs that will stay as they are to the totals of their versions, and merges what changes have left there. The totals together with the
 * runs that are not counted yet are right at any time, whether this is done or not: it keeps reading them cheap. Answers how many runs it counted.
 */
export async function countSettledRuns(database: Pick<Database, 'prisma'>, now: Date): Promise<number> {
  return inTransaction(database, async (transaction) => {
    const [lock] = await transaction.$queryRawUnsafe<{ free: boolean }[]>(
      `SELECT pg_try_advisory_xact_lock(${COUNTING_LOCK}) AS free`,
    );
    if (lock?.free !== true) return 0;
    const picked = await transaction.$queryRawUnsafe<{ id: string }[]>(PICK, now);
    const ids = picked.map(({ id }) => id);
    if (ids.length > 0) await transaction.$executeRawUnsafe(COUNT, now, ids);
    await transaction.$executeRawUnsafe(MERGE);
    return ids.length;
  });
}
