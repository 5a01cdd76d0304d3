import type pg from 'pg';
import type { RunDigest } from '#lib/statistics/digest-run.ts';

/** The columns of `run_measures` that a digest fills, with the member that fills each and its type. */
const COLUMNS = [
  ['format', 'format', 'int'],
  ['scores', 'scores', 'jsonb'],
  ['scored_versions', 'scoredVersions', 'int'],
  ['first_score', 'firstScore', 'float8'],
  ['best_score', 'bestScore', 'float8'],
  ['last_score', 'lastScore', 'float8'],
  ['solved_at', 'solvedAt', 'int'],
  ['last_satisfactory', 'lastSatisfactory', 'boolean'],
  ['evaluations', 'evaluations', 'int'],
  ['unscored', 'unscored', 'int'],
  ['issues_named', 'issuesNamed', 'int'],
  ['issues_resolved', 'issuesResolved', 'int'],
  ['checks_failing', 'checksFailing', 'int'],
  ['checks_corrected', 'checksCorrected', 'int'],
  ['checks_passing', 'checksPassing', 'int'],
  ['checks_introduced', 'checksIntroduced', 'int'],
  ['retries_after_fail', 'retriesAfterFail', 'int'],
  ['repeated_answers', 'repeatedAnswers', 'int'],
  ['judged', 'judged', 'jsonb'],
] as const satisfies readonly (readonly [string, keyof RunDigest, string])[];

/** What one run comes to and when it ended (ISO 8601); `place` says which of the runs that are kept together it is. */
export type MeasureRecord = RunDigest & { endedAt: string; place: number };

/** What `revision` is set to by each write of a run that has ended. */
export const NEW_REVISION = 'pg_current_xact_id()::text::bigint';

/**
 * How such records get into their table: `runs` names what has an `id`, `experiment_id`, `experiment_version` and `place` for each, `list` is
 * the parameter that holds them as a JSON list. One that is there is written anew, and its texts are read again.
 */
export function measureInsert(runs: string, list: string): string {
  const names = COLUMNS.map(([column]) => column).join(', ');
  return `INSERT INTO run_measures (run_id, experiment_id, experiment_version, ended_at, revision, ${names})
    SELECT f.id, f.experiment_id, f.experiment_version, v."endedAt", ${NEW_REVISION}, ${COLUMNS.map(([, member]) => `v."${member}"`).join(', ')}
    FROM ${runs} f JOIN json_to_recordset(${list}::json) AS v(place int, "endedAt" timestamptz, ${COLUMNS.map(([, member, type]) => `"${member}" ${type}`).join(', ')}) USING (place)
    ON CONFLICT (run_id) DO UPDATE SET searched = false, ended_at = excluded.ended_at, revision = excluded.revision,
      ${COLUMNS.map(([column]) => `${column} = excluded.${column}`).join(', ')}`;
}

/** Of a run that goes on: what it came to when it had ended no longer counts. */
export async function forgetMeasures(client: pg.PoolClient, runId: string): Promise<void> {
  await client.query('DELETE FROM run_measures WHERE run_id = $1', [runId]);
}
