import { z } from 'zod';
import { MODEL_FAILURE_KINDS } from '#lib/core/model-request.ts';
import type { FailureCause } from '#lib/core/run-record.ts';
import { type ExperimentSettings, MODEL_ROLES, modelFor } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { findRun } from './queries.ts';

/** What runs of a batch failed of alike. */
export type BatchFailure = {
  cause: FailureCause;
  runs: number;
  /** What was said of one of them. */
  message: string;
  provider: string | null;
  model: string | null;
};

const groupSchema = z.object({
  cause: z.enum(MODEL_FAILURE_KINDS).nullable().catch(null),
  role: z.enum(MODEL_ROLES).nullable().catch(null),
  reason: z.string().nullable(),
  runs: z.int(),
  message: z.string().nullable(),
  runId: z.string(),
});

/** What most of the failed runs of a batch failed of, under the settings they ran under; null where none failed. */
export async function findBatchFailure(
  database: Database,
  batchId: string,
  settings: ExperimentSettings,
): Promise<BatchFailure | null> {
  const [row] = await database.prisma.$queryRaw<unknown[]>`
    SELECT failure->>'cause' AS cause, failure->>'role' AS role, convergence_reason AS reason, count(*)::int AS runs,
      max(failure->>'message') AS message, min(id::text) AS "runId"
    FROM runs WHERE batch_id = ${batchId}::uuid AND status = 'failed'
    GROUP BY 1, 2, 3 ORDER BY 4 DESC LIMIT 1`;
  if (row === undefined) return null;
  const { cause, role, reason, runs, message, runId } = groupSchema.parse(row);
  const asked = role === null ? { provider: null, model: null } : modelFor(settings, role);
  if (cause !== null) return { cause, runs, message: message ?? '', ...asked };
  if (reason !== 'evaluation_failed') return { cause: 'internal_error', runs, message: message ?? '', ...asked };
  // The row does not tell why nothing was scored.
  const failure = (await findRun(database, runId))?.record.failure;
  return { ...asked, cause: failure?.cause ?? 'unscored', runs, message: failure?.message ?? '' };
}
