import { z } from 'zod';
import type { Database } from './database.ts';

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

/** As `splitCases` reads tags: of several the most guarded counts. */
const LIST = `
  SELECT d.id, d.name, d.case_count AS "caseCount",
    count(c.position) FILTER (WHERE c.tags && ARRAY['held_out', 'held-out'])::int AS "heldOut",
    count(c.position) FILTER (WHERE c.tags && ARRAY['validation'] AND NOT c.tags && ARRAY['held_out', 'held-out'])::int AS validation,
    count(c.position) FILTER (WHERE c.tags && ARRAY['train'] AND NOT c.tags && ARRAY['held_out', 'held-out', 'validation'])::int AS train
  FROM datasets d LEFT JOIN dataset_cases c ON c.dataset_id = d.id AND c.tags && ARRAY['train', 'validation', 'held_out', 'held-out']
  WHERE d.id = $1 OR d.id IN (SELECT id FROM datasets ORDER BY created_at DESC, id DESC LIMIT $2)
  GROUP BY d.id ORDER BY d.created_at DESC, d.id DESC`;

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
