import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import type { Database } from '#lib/database/database.ts';
import { criteriaColumn } from '#lib/datasets/queries.ts';
import { IS_BRANCH } from '#lib/runs/batches.ts';
import { type ExperimentOrigin, experimentOriginSchema } from './schema.ts';

/** A batch that a control is to be run of: whose it is, over what, and the most that one of its runs spent. */
export type ControlledBatch = {
  experimentId: string;
  experimentVersion: number;
  name: string;
  origin: ExperimentOrigin;
  datasetId: string | null;
  datasetVersion: number | null;
  repetitions: number;
  isBranch: boolean;
  runs: number;
  underWay: number;
  mostTokens: number;
  mostCostUsd: number;
  unpriced: boolean;
};

const batchRow = z.object({
  experimentId: z.string(),
  experimentVersion: z.int(),
  name: z.string(),
  origin: experimentOriginSchema,
  datasetId: z.string().nullable(),
  datasetVersion: z.int().nullable(),
  repetitions: z.int(),
  isBranch: z.boolean(),
  runs: z.int(),
  underWay: z.int(),
  mostTokens: z.int(),
  mostCostUsd: z.number(),
  unpriced: z.boolean(),
});

const FIND = `
  SELECT b.experiment_id AS "experimentId", b.experiment_version AS "experimentVersion", x.name, x.origin, b.dataset_id AS "datasetId",
    b.dataset_version AS "datasetVersion", b.repetitions, ${IS_BRANCH} AS "isBranch", count(r.id)::int AS runs,
    count(r.id) FILTER (WHERE r.status IN ('queued', 'running', 'waiting'))::int AS "underWay",
    coalesce(max(r.input_tokens + r.output_tokens), 0)::int AS "mostTokens", coalesce(max(r.cost_usd), 0) AS "mostCostUsd",
    coalesce(bool_or(r.unpriced), false) AS unpriced
  FROM batches b JOIN experiments x ON x.id = b.experiment_id LEFT JOIN runs r ON r.batch_id = b.id
  WHERE b.id = $1 GROUP BY b.id, x.id`;

/** Null where there is no such batch. */
export async function findControlledBatch(
  { pool }: Pick<Database, 'pool'>,
  batchId: string,
): Promise<ControlledBatch | null> {
  const { rows } = await pool.query<Record<string, unknown>>(FIND, [batchId]);
  return rows[0] === undefined ? null : batchRow.parse(rows[0]);
}

const caseRow = z.object({
  input: z.string(),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  criteria: criteriaColumn,
});

/** The cases of a batch in their order, each once, however often it was run. Cases whose runs were all deleted are gone. */
export async function casesOfBatch({ pool }: Pick<Database, 'pool'>, batchId: string): Promise<Case[]> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT DISTINCT ON (r.position / b.repetitions) r.input, r.reference, r.tags, r.metadata, r.criteria
     FROM runs r JOIN batches b ON b.id = r.batch_id WHERE b.id = $1 ORDER BY r.position / b.repetitions, r.position`,
    [batchId],
  );
  return rows.map((row) => caseRow.parse(row));
}
