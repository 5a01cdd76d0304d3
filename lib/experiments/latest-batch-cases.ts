import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import type { Database } from '#lib/database/database.ts';
import { criteriaColumn } from '#lib/datasets/criteria-column.ts';

const caseRow = z.object({
  input: z.string(),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  criteria: criteriaColumn,
});

/** The cases of an experiment's newest batch, in their order, at most `limit`; none where nothing was run yet, or a prompt was tuned. */
export async function latestBatchCases(database: Database, experimentId: string, limit: number): Promise<Case[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT input, reference, tags, metadata, criteria FROM runs
     WHERE batch_id = (SELECT id FROM batches WHERE experiment_id = $1 ORDER BY created_at DESC, id LIMIT 1)
       AND NOT EXISTS (SELECT 1 FROM run_cases c WHERE c.run_id = runs.id)
     ORDER BY position LIMIT $2`,
    [experimentId, limit],
  );
  return rows.map((row) => caseRow.parse(row));
}
