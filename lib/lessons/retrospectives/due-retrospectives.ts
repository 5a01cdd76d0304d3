import { decisionsWith } from '#lib/core/decision-kinds.ts';
import type { Database } from '#lib/database/database.ts';

/** An experiment whose schedule of looking back is due, and over how many of its runs. */
export type DueRetrospective = { experimentId: string; runs: number };

const ENDED = "r.status IN ('finished', 'failed', 'stopped') AND r.finished_at IS NOT NULL";

const LAST = `SELECT max(t.requested_at) FROM retrospectives t JOIN runs o ON o.id = t.run_id
  WHERE o.experiment_id = e.id AND t.scheduled`;

const DUE = `
  SELECT e.id AS "experimentId", coalesce((s.settings #>> '{lessons,lookBackRuns}')::int, 1) AS runs
  FROM experiments e
  JOIN experiment_versions s ON s.experiment_id = e.id AND s.version = e.latest_version
  WHERE s.settings #>> '{lessons,lookBackEvery}' IS NOT NULL
    AND s.settings ->> 'mode' <> 'tune' AND s.settings #>> '{lessons,write}' IS DISTINCT FROM 'off'
    AND (s.settings #>> '{lessons,lookBackEvery}')::int <= (
      SELECT count(*) FROM runs r
      WHERE r.experiment_id = e.id AND ${ENDED} AND r.finished_at > coalesce((${LAST}), '-infinity'))
  ORDER BY e.created_at, e.id`;

/** The experiments of which as many runs have ended since their last scheduled look back as `lessons.lookBackEvery` says. */
export async function dueRetrospectives({ pool }: Pick<Database, 'pool'>): Promise<DueRetrospective[]> {
  return (await pool.query<DueRetrospective>({ name: 'due-look-backs', text: DUE })).rows;
}

const TEACHES = decisionsWith(({ teaches }) => teaches === true);

/** Decisions that say something of what people want: all but those that only let the run go its way. */
const IMPORTANT = `d.by = 'person' AND (d.decision IN (${TEACHES.map((kind) => `'${kind}'`).join(', ')})
  OR (d.decision = 'allow' AND d.tool_arguments IS NOT NULL))`;

const INSTRUCTIVE = `
  SELECT r.id
  FROM runs r
  JOIN experiments e ON e.id = r.experiment_id
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version
  WHERE r.experiment_id = $1 AND ${ENDED} AND r.version_count > 0 AND r.finished_at > coalesce((${LAST}), '-infinity')
    AND s.settings ->> 'mode' <> 'tune' AND s.settings #>> '{lessons,write}' IS DISTINCT FROM 'off'
    AND NOT EXISTS (SELECT 1 FROM retrospectives t WHERE t.run_id = r.id)
  ORDER BY (SELECT count(*) FROM decisions d WHERE d.run_id = r.id AND ${IMPORTANT}) DESC, r.success, r.version_count DESC, r.number DESC
  LIMIT $2`;

/**
 * The runs of an experiment that ended since its last scheduled look back and teach most: with the most important decisions of people,
 * then unsolved ones, then those with the most versions, the newest first. None that was looked back over before.
 */
export async function instructiveRuns({ pool }: Pick<Database, 'pool'>, due: DueRetrospective): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'instructive-runs',
    text: INSTRUCTIVE,
    values: [due.experimentId, due.runs],
  });
  return rows.map(({ id }) => id);
}
