import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import type { Database } from '#lib/database/database.ts';
import { ALL_CASES, listCases } from './list-cases.ts';

/** Read at a time. */
const PART = 500;

/** All cases of a dataset at a version (null: the latest), by number, a part at a time. */
export async function* walkCases(
  database: Pick<Database, 'pool'>,
  datasetId: string,
  version: number | null,
): AsyncGenerator<Case & { number: number }> {
  let cursor = 0;
  for (;;) {
    const page = await listCases(database, datasetId, { ...ALL_CASES, version }, { cursor, limit: PART });
    yield* page.items;
    if (page.nextCursor === null) return;
    cursor = Number(page.nextCursor);
  }
}

/** The keys that the metadata of a dataset's cases have, in the order of the alphabet. */
export async function metadataKeys(
  { pool }: Pick<Database, 'pool'>,
  datasetId: string,
  version: number | null,
): Promise<string[]> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT DISTINCT jsonb_object_keys(metadata) AS key FROM dataset_cases
     WHERE dataset_id = $1 AND CASE WHEN $2::int IS NULL THEN ended IS NULL ELSE since <= $2 AND (ended IS NULL OR ended > $2) END
     ORDER BY key`,
    [datasetId, version],
  );
  return rows.map((row) => z.object({ key: z.string() }).parse(row).key);
}

/** Whether any case of a dataset has criteria of its own. */
export async function haveCriteria(
  { pool }: Pick<Database, 'pool'>,
  datasetId: string,
  version: number | null,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT 1 FROM dataset_cases WHERE dataset_id = $1 AND criteria IS NOT NULL
       AND CASE WHEN $2::int IS NULL THEN ended IS NULL ELSE since <= $2 AND (ended IS NULL OR ended > $2) END LIMIT 1`,
    [datasetId, version],
  );
  return rowCount !== 0;
}
