import type pg from 'pg';
import { z } from 'zod';

const row = z.object({ latestVersion: z.int(), nextPosition: z.int(), caseCount: z.int() });

/** Holds a dataset until the transaction ends, so that its versions follow one another; null when there is none. */
export async function lockDataset(client: pg.PoolClient, datasetId: string): Promise<z.infer<typeof row> | null> {
  const { rowCount } = await client.query('SELECT 1 FROM datasets WHERE id = $1 FOR UPDATE', [datasetId]);
  if (rowCount === 0) return null;
  const { rows } = await client.query<Record<string, unknown>>(
    `SELECT latest_version AS "latestVersion", case_count AS "caseCount",
       (SELECT coalesce(max(position) + 1, 0) FROM dataset_cases WHERE dataset_id = $1)::int AS "nextPosition"
     FROM datasets WHERE id = $1`,
    [datasetId],
  );
  return row.parse(rows[0]);
}
