import type pg from 'pg';
import type { Case } from '#lib/reflection/case.ts';
import type { Database } from './database.ts';

export type NewBatch = {
  id: string;
  experimentId: string;
  experimentVersion: number;
  datasetId: string | null;
  idempotencyKey: string | null;
  requestHash: string;
  runs: { id: string; case: Case }[];
  now: Date;
};

/** Stores a batch with its queued runs; false when its idempotency key is taken. */
export async function insertBatch(client: pg.PoolClient, batch: NewBatch): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO batches (id, experiment_id, experiment_version, dataset_id, total, idempotency_key, request_hash, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (idempotency_key) DO NOTHING`,
    [
      batch.id,
      batch.experimentId,
      batch.experimentVersion,
      batch.datasetId,
      batch.runs.length,
      batch.idempotencyKey,
      batch.requestHash,
      batch.now,
    ],
  );
  if (rowCount === 0) return false;
  await client.query(
    `INSERT INTO runs (id, experiment_id, experiment_version, batch_id, position, input, reference, tags, metadata, also_held, created_at)
     SELECT (r.entry->>'id')::uuid, $2, $3, $1, r.ordinality - 1, r.entry->'case'->>'input', r.entry->'case'->>'reference',
       ARRAY(SELECT json_array_elements_text(r.entry->'case'->'tags')), (r.entry->'case'->'metadata')::jsonb, '{}', $4
     FROM json_array_elements($5::json) WITH ORDINALITY AS r(entry, ordinality) ORDER BY r.ordinality`,
    [batch.id, batch.experimentId, batch.experimentVersion, batch.now, JSON.stringify(batch.runs)],
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
