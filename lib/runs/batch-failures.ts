import { modelFor } from '#lib/core/model-roles.ts';
import type { FailureCause } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { findMostCommonFailure } from './batches.ts';
import { findRun } from './queries.ts';

/** Common cause of failed runs in a batch. */
export type BatchFailure = {
  cause: FailureCause;
  runs: number;
  /** Error message of one of the runs. */
  message: string;
  provider: string | null;
  model: string | null;
};

/** Returns the most common failure of a batch's runs, with the settings they ran with. Null if none failed. */
export async function findBatchFailure(
  database: Database,
  batchId: string,
  settings: ExperimentSettings,
): Promise<BatchFailure | null> {
  const alike = await findMostCommonFailure(database, batchId);
  if (alike === null) return null;
  const { cause, role, reason, runs, message, runId } = alike;
  const failedModel = role === null ? { provider: null, model: null } : modelFor(settings, role);
  if (cause !== null) return { cause, runs, message: message ?? '', ...failedModel };
  if (reason !== 'evaluation_failed') return { cause: 'internal_error', runs, message: message ?? '', ...failedModel };
  // The row does not contain the reason why nothing was scored.
  const failure = (await findRun(database, runId))?.record.failure;
  return { ...failedModel, cause: failure?.cause ?? 'unscored', runs, message: failure?.message ?? '' };
}
