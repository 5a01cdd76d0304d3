import type pg from 'pg';
import type { TuningCase } from '#lib/core/history.ts';
import { storableJson } from '#lib/database/clean-text.ts';

/** Stores the cases of a tuning run as they are now: what becomes of their dataset does not touch the run. */
export async function insertRunCases(
  client: pg.PoolClient,
  runId: string,
  cases: readonly TuningCase[],
): Promise<void> {
  await client.query(
    `INSERT INTO run_cases (run_id, position, split, input, reference, tags, metadata, criteria)
     SELECT $1, c.position, c.split, c.input, c.reference, c.tags, c.metadata, c.criteria
     FROM json_to_recordset($2::json) AS c(position int, split text, input text, reference text, tags text[], metadata jsonb, criteria jsonb)`,
    [runId, storableJson(cases)],
  );
}
