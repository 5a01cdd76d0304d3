import { DIGEST_FORMAT, type RunDigest } from '#lib/measures/digest-run.ts';
import { storableJson } from './clean-text.ts';
import type { Database } from './database.ts';
import type { StoredRun } from './load-run.ts';
import { type MeasureRecord, measureInsert } from './measure-records.ts';

const MISSING = `
  SELECT r.id, r.number FROM runs r
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version AND s.settings->>'mode' <> 'tune'
  WHERE r.number > $2 AND r.status IN ('finished', 'failed', 'stopped')
    AND NOT EXISTS (SELECT 1 FROM run_measures m WHERE m.run_id = r.id AND m.format >= $1)
  ORDER BY r.number LIMIT $3`;

/** Ended runs after the one with the number `after` whose measures are missing or of an older format, in the order of their numbers. */
export async function unmeasuredRuns(
  database: Database,
  after: number,
  limit: number,
): Promise<{ id: string; number: number }[]> {
  const { rows } = await database.pool.query<{ id: string; number: number }>({
    name: 'unmeasured-runs',
    text: MISSING,
    values: [DIGEST_FORMAT, after, limit],
  });
  return rows;
}

// The number of the last event fences it: what was worked out of a history that has changed since is not kept.
const KEEP = `
  WITH ended AS (
    SELECT id, experiment_id, experiment_version, 0 AS place FROM runs
    WHERE id = $1 AND event_number = $2 AND status IN ('finished', 'failed', 'stopped') FOR SHARE)
  ${measureInsert('ended', '$3')}`;

/** Keeps the measures of an ended run that was read before, unless it has changed since. Answers whether it did. */
export async function keepMeasures(
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
