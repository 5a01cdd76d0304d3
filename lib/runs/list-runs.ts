import type { RunStatus } from '#lib/core/run-record.ts';
import type { StopReason } from '#lib/core/stop-reasons.ts';
import type { Database } from '#lib/database/database.ts';
import { type Page, pageOf } from '#lib/database/query-values.ts';
import { RUN_COLUMNS, type RunRow, runListRow } from './run-list-row.ts';

export type { RunRow } from './run-list-row.ts';
export type RunFilter = {
  experimentId?: string | null;
  /** Of the experiment's settings. */
  version?: number | null;
  batchId?: string | null;
  status?: RunStatus | null;
  /** Of the finished runs: those that succeeded, or those that did not. */
  success?: boolean | null;
  /** Why they ended. */
  reason?: StopReason | null;
  cursor: string | null;
  limit: number;
};

/** Runs, newest first. The cursor is a run's number. */
export async function listRuns(database: Database, filter: RunFilter): Promise<Page<RunRow>> {
  const before = filter.cursor !== null && /^\d{1,9}$/.test(filter.cursor) ? Number(filter.cursor) : null;
  const conditions: string[] = [];
  const values: unknown[] = [];
  const where = (condition: string, value: unknown) => {
    if (value === null || value === undefined) return;
    values.push(value);
    conditions.push(condition.replace('?', `$${values.length}`));
  };
  where('r.experiment_id = ?', filter.experimentId);
  where('r.experiment_version = ?', filter.version);
  where('r.batch_id = ?', filter.batchId);
  where('r.status = ?', filter.status);
  where("r.status = 'finished' AND r.success = ?", filter.success);
  where('r.convergence_reason = ?', filter.reason);
  where('r.number < ?', before);
  values.push(filter.limit + 1);
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT ${RUN_COLUMNS} FROM runs r JOIN experiments x ON x.id = r.experiment_id
     ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''} ORDER BY r.number DESC LIMIT $${values.length}`,
    values,
  );
  return pageOf(
    rows.map((row) => runListRow.parse(row)),
    filter.limit,
    (run) => String(run.number),
  );
}

/** Runs that were not begun with the text of another run. */
export const OWN_RUN = 'r.branched_from_version IS NULL';
/** Runs of which anything was scored: the others say neither that a case was solved nor that it was not. */
export const SCORED_RUN = 'r.best_score IS NOT NULL';
/** Runs that say whether their case was solved: by a score, or by a person who accepted what was not scored. */
export const TELLING_RUN = `(${SCORED_RUN} OR r.success)`;
export const ENDED_RUN = `r.status IN ('finished', 'failed', 'stopped')`;
export const UNFINISHED_RUN = `r.status IN ('queued', 'running', 'waiting')`;

/** Of the arm that is version `v` of experiment `x`: another text once any of its ended runs has changed. Read from one index alone. */
export const ARM_STAMP = `SELECT concat_ws(' ', count(*), sum(m.revision), bit_xor(m.revision)) FROM run_measures m
  WHERE m.experiment_id = x.id AND m.experiment_version = v.version`;
