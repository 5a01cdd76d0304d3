import { storableJson } from '#lib/database/clean-text.ts';
import type { Database } from '#lib/database/database.ts';
import { DIGEST_FORMAT, type RunDigest } from '#lib/statistics/digest-run.ts';
import type { StoredRun } from './load-run.ts';
import { type MeasureRecord, measureInsert } from './measure-records.ts';
import { ENDED_RUN } from './run-conditions.ts';

// Gathered before they are put in order: looked up one by one in that order, hundreds of thousands that are measured would be passed over.
const MISSING = `
  WITH missing AS MATERIALIZED (
    SELECT r.id, r.number, r.experiment_id, r.experiment_version FROM runs r
    WHERE r.number > $2 AND ${ENDED_RUN} AND NOT EXISTS (SELECT 1 FROM run_measures m WHERE m.run_id = r.id AND m.format >= $1))
  SELECT r.id, r.number FROM missing r
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version AND s.settings->>'mode' <> 'tune'
  ORDER BY r.number LIMIT $3`;

/** Ended runs after the one with the number `after` whose measures are missing or of an older format, in the order of their numbers. */
export async function unmeasuredRuns(
  { pool }: Pick<Database, 'pool'>,
  after: number,
  limit: number,
): Promise<{ id: string; number: number }[]> {
  // Without a name: how it is best done depends on `after`.
  const { rows } = await pool.query<{ id: string; number: number }>(MISSING, [DIGEST_FORMAT, after, limit]);
  return rows;
}

/** The number of the newest run; 0 where there is none. */
export async function newestRunNumber({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rows } = await pool.query<{ number: number }>('SELECT coalesce(max(number), 0) AS number FROM runs');
  return rows[0]?.number ?? 0;
}

// The number of the last event fences it: what was worked out of a history that has changed since is not kept.
const KEEP = `
  WITH ended AS (
    SELECT id, experiment_id, experiment_version, 0 AS place FROM runs
    WHERE id = $1 AND event_number = $2 AND status IN ('finished', 'failed', 'stopped') FOR SHARE)
  ${measureInsert('ended', '$3')}`;

/** Keeps the measures of an ended run that was read before, unless it has changed since. Answers whether it did. */
export async function saveMeasures(
  database: Database,
  { run }: Pick<StoredRun, 'run'>,
  digest: RunDigest,
): Promise<boolean> {
  const record: MeasureRecord = { ...digest, endedAt: run.finished_at ?? run.created_at, place: 0 };
  const { rowCount } = await database.pool.query({
    name: 'keep-measures',
    text: KEEP,
    values: [run.id, run.event_number, storableJson([record])],
  });
  return rowCount === 1;
}
