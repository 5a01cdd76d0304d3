import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { IS_BRANCH } from './branches.ts';

const batchRow = z.object({
  id: z.string(),
  /** Runs. */
  total: z.int(),
  /** Runs of each case. */
  repetitions: z.int(),
  createdAt: z.date().transform((value) => value.toISOString()),
  experimentVersion: z.int(),
  /** It holds but the one run that was branched from another. */
  isBranch: z.boolean(),
  source: z.enum(['started', 'imported']),
  /** What its cases were taken from; null where they were sent with it, or that was deleted. */
  dataset: z.object({ id: z.string(), name: z.string(), version: z.int().nullable() }).nullable(),
});
export type BatchOfExperiment = z.infer<typeof batchRow>;

const BATCH = `SELECT b.id, b.total, b.repetitions, b.created_at AS "createdAt", b.experiment_version AS "experimentVersion", ${IS_BRANCH} AS "isBranch",
    b.source, CASE WHEN d.id IS NOT NULL THEN jsonb_build_object('id', d.id, 'name', d.name, 'version', b.dataset_version) END AS dataset
  FROM batches b LEFT JOIN datasets d ON d.id = b.dataset_id WHERE b.experiment_id = $1`;
const BATCHES = `
  (${BATCH} ORDER BY b.created_at DESC LIMIT 20)
  UNION
  (${BATCH} AND NOT ${IS_BRANCH} ORDER BY b.created_at DESC LIMIT 1)
  ORDER BY "createdAt" DESC`;

/** The newest 20 batches of an experiment, and the newest that was started as one, newest first. */
export async function listBatches(database: Database, experimentId: string): Promise<BatchOfExperiment[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>({
    name: 'batches-of-experiment',
    text: BATCHES,
    values: [experimentId],
  });
  return rows.map((batch) => batchRow.parse(batch));
}
