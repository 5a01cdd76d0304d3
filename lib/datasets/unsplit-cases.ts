import type pg from 'pg';
import { z } from 'zod';

const row = z.object({ position: z.int(), tags: z.array(z.string()) });

/** The cases of a dataset whose tags do not say what they are for, in order: where they stand, and their tags. */
export async function unsplitCases(
  client: Pick<pg.PoolClient, 'query'>,
  datasetId: string,
): Promise<z.infer<typeof row>[]> {
  const { rows } = await client.query(
    `SELECT position, tags FROM dataset_cases
     WHERE dataset_id = $1 AND ended IS NULL AND NOT tags && ARRAY['train', 'validation', 'held_out', 'held-out'] ORDER BY position`,
    [datasetId],
  );
  return z.array(row).parse(rows);
}
