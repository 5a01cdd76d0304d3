import type { RunStatus } from '#lib/core/run-record.ts';
import type { Database } from '#lib/database/database.ts';

/** The ids of a batch's runs that are in one of these states, in the batch's order. */
export async function runsOfBatch(
  database: Database,
  batchId: string,
  statuses: readonly RunStatus[],
): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>({
    name: 'runs-of-batch',
    text: 'SELECT id FROM runs WHERE batch_id = $1 AND status = ANY ($2::text[]) ORDER BY position',
    values: [batchId, statuses],
  });
  return rows.map(({ id }) => id);
}
