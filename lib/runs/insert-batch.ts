import type pg from 'pg';
import type { Case } from '#lib/core/case.ts';
import type { Database } from '#lib/database/database.ts';

export type NewBatch = {
  id: string;
  experimentId: string;
  experimentVersion: number;
  datasetId: string | null;
  datasetVersion?: number | null;
  idempotencyKey: string | null;
  requestHash: string;
  cases: readonly Case[];
  /** Runs of each case: 1 where left out. */
  repetitions?: number;
  /** The ids of all runs: those of the first case, then those of the second, and so on. */
  runIds: readonly string[];
  now: Date;
};

/** Stores a batch with its queued runs; false when its idempotency key is taken. */
export async function insertBatch(client: pg.PoolClient, batch: NewBatch): Promise<boolean> {
  const { cases, repetitions = 1, runIds } = batch;
  if (runIds.length !== cases.length * repetitions)
    throw new Error(`a batch of ${cases.length} cases, ${repetitions} times each, with ${runIds.length} runs`);
  const { rowCount } = await client.query(
    `INSERT INTO batches (id, experiment_id, experiment_version, dataset_id, dataset_version, repetitions, total, idempotency_key, request_hash, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (idempotency_key) DO NOTHING`,
    [
      batch.id,
      batch.experimentId,
      batch.experimentVersion,
      batch.datasetId,
      batch.datasetVersion ?? null,
      repetitions,
      runIds.length,
      batch.idempotencyKey,
      batch.requestHash,
      batch.now,
    ],
  );
  if (rowCount === 0) return false;
  // Each case is sent once, however often it is run.
  await client.query(
    `INSERT INTO runs (id, experiment_id, experiment_version, batch_id, position, repetition, input, reference, tags, metadata, criteria, also_held, created_at)
     SELECT i.id, $2, $3, $1, i.place - 1, (i.place - 1) % $7::int, c.entry->>'input', c.entry->>'reference',
       ARRAY(SELECT json_array_elements_text(c.entry->'tags')), (c.entry->'metadata')::jsonb, nullif((c.entry->'criteria')::jsonb, 'null'), '{}', $4
     FROM unnest($6::uuid[]) WITH ORDINALITY AS i(id, place)
     JOIN json_array_elements($5::json) WITH ORDINALITY AS c(entry, place) ON c.place = (i.place - 1) / $7::int + 1
     ORDER BY i.place`,
    [batch.id, batch.experimentId, batch.experimentVersion, batch.now, JSON.stringify(cases), runIds, repetitions],
  );
  return true;
}

/** The batch that was made under an idempotency key; null when the key is new. */
export async function findBatchByKey(
  database: Database,
  idempotencyKey: string,
): Promise<{ batchId: string; requestHash: string | null; runIds: string[] } | null> {
  const batch = await database.prisma.batch.findUnique({
    where: { idempotencyKey },
    include: { runs: { select: { id: true }, orderBy: { position: 'asc' } } },
  });
  return batch === null
    ? null
    : { batchId: batch.id, requestHash: batch.requestHash, runIds: batch.runs.map((run) => run.id) };
}
