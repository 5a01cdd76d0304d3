import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';

/** A dataset with how many of its cases say by a tag what they are for in a tuning run. */
export type TunableDatasetRow = {
  id: string;
  name: string;
  caseCount: number;
  tagged: { train: number; validation: number; held_out: number };
};

const row = z.object({
  id: z.string(),
  name: z.string(),
  caseCount: z.int(),
  train: z.int(),
  validation: z.int(),
  heldOut: z.int(),
});

const LIST = `
  SELECT id, name, case_count AS "caseCount", held_out AS "heldOut", validation, train
  FROM datasets
  WHERE id = $1 OR id IN (SELECT id FROM datasets ORDER BY created_at DESC, id DESC LIMIT $2)
  ORDER BY created_at DESC, id DESC`;

/** The newest datasets, at most `limit`, and the one with the id `asked` where there is such a one. */
export async function listTunableDatasets(
  { pool }: Pick<Database, 'pool'>,
  { asked, limit }: { asked: string | null; limit: number },
): Promise<TunableDatasetRow[]> {
  const { rows } = await pool.query<Record<string, unknown>>(LIST, [asked, limit]);
  return rows.map((found) => {
    const { train, validation, heldOut, ...dataset } = row.parse(found);
    return { ...dataset, tagged: { train, validation, held_out: heldOut } };
  });
}
