import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';

/** An experiment that ran over a dataset, or a prompt that is tried on it. */
export type DatasetUse =
  | { kind: 'experiment'; id: string; name: string; version: number }
  | { kind: 'prompt'; name: string };

const experimentRow = z.object({ datasetId: z.string(), id: z.string(), name: z.string(), version: z.int() });
const promptRow = z.object({ datasetId: z.string(), name: z.string() });

/** Who uses which of these datasets: experiments by their latest batch over it, newest first, then prompts. */
export async function datasetUses(
  { pool }: Pick<Database, 'pool'>,
  datasetIds: readonly string[],
): Promise<Map<string, DatasetUse[]>> {
  const [experiments, prompts] = await Promise.all([
    pool.query<Record<string, unknown>>(
      `SELECT b.dataset_id AS "datasetId", e.id, e.name, max(b.experiment_version)::int AS version
       FROM batches b JOIN experiments e ON e.id = b.experiment_id
       WHERE b.dataset_id = ANY ($1::uuid[]) GROUP BY b.dataset_id, e.id, e.name ORDER BY max(b.created_at) DESC`,
      [datasetIds],
    ),
    pool.query<Record<string, unknown>>(
      `SELECT setup->>'datasetId' AS "datasetId", name FROM prompts WHERE setup->>'datasetId' = ANY ($1::text[]) ORDER BY name`,
      [datasetIds],
    ),
  ]);
  const uses = new Map<string, DatasetUse[]>();
  const add = (id: string, use: DatasetUse) => uses.set(id, [...(uses.get(id) ?? []), use]);
  for (const row of experiments.rows) {
    const { datasetId, ...of } = experimentRow.parse(row);
    add(datasetId, { kind: 'experiment', ...of });
  }
  for (const row of prompts.rows) {
    const { datasetId, name } = promptRow.parse(row);
    add(datasetId, { kind: 'prompt', name });
  }
  return uses;
}

const totalsRow = z.object({ datasets: z.int(), cases: z.int(), heldOut: z.int() });

/** How many datasets there are, with how many cases in all. */
export async function countDatasets({ pool }: Pick<Database, 'pool'>): Promise<z.infer<typeof totalsRow>> {
  const { rows } = await pool.query<Record<string, unknown>>(
    'SELECT count(*)::int AS datasets, coalesce(sum(case_count), 0)::int AS cases, coalesce(sum(held_out), 0)::int AS "heldOut" FROM datasets',
  );
  return totalsRow.parse(rows[0]);
}
