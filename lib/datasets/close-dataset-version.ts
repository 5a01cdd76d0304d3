import type pg from 'pg';
import { z } from 'zod';

export type DatasetChange = {
  datasetId: string;
  version: number;
  added: number;
  changed: number;
  removed: number;
  /** Who made it; null where no person did. */
  actor: string | null;
  message: string | null;
  now: Date;
};

/** As `splitCases` reads tags: of several the most guarded counts. */
const COUNTS = `
  SELECT count(*)::int AS cases, count(reference)::int AS "withReference",
    count(*) FILTER (WHERE tags && ARRAY['held_out', 'held-out'])::int AS "heldOut",
    count(*) FILTER (WHERE 'validation' = ANY (tags) AND NOT tags && ARRAY['held_out', 'held-out'])::int AS validation,
    count(*) FILTER (WHERE 'train' = ANY (tags) AND NOT tags && ARRAY['held_out', 'held-out', 'validation'])::int AS train
  FROM dataset_cases WHERE dataset_id = $1 AND ended IS NULL`;

const countsRow = z.object({
  cases: z.int(),
  withReference: z.int(),
  heldOut: z.int(),
  validation: z.int(),
  train: z.int(),
});

/** Writes down a version whose cases are stored, and makes it the dataset's latest. Answers how many cases it has. */
export async function closeDatasetVersion(client: pg.PoolClient, change: DatasetChange): Promise<number> {
  const { datasetId, version, added, changed, removed, actor, message, now } = change;
  const { rows } = await client.query<Record<string, unknown>>(COUNTS, [datasetId]);
  const counts = countsRow.parse(rows[0]);
  await client.query(
    `INSERT INTO dataset_versions (dataset_id, version, case_count, added, changed, removed, actor, message, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [datasetId, version, counts.cases, added, changed, removed, actor, message, now],
  );
  await client.query(
    `UPDATE datasets SET latest_version = $2, case_count = $3, with_reference = $4, held_out = $5, validation = $6, train = $7, updated_at = $8
     WHERE id = $1`,
    [datasetId, version, counts.cases, counts.withReference, counts.heldOut, counts.validation, counts.train, now],
  );
  return counts.cases;
}
