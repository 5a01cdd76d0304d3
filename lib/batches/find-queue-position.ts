import { findBudgetWarnings } from '#lib/budgets/find-budget-warnings.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { namedModels } from '#lib/core/named-models.ts';
import { findExperimentVersion } from '#lib/experiments/find-experiment.ts';
import { livingProcesses } from '#lib/queue/app-processes.ts';
import type { QueuePlace } from '#lib/runs/queue-place.ts';
import { findProviderLimits, findQueueRow, firstQueuedRun } from '#lib/runs/queue-position.ts';
import { queuePosition } from './queue-position.ts';

/** Where a run stands in the queue, and what it waits for; null where there is no such run. */
export async function findQueuePosition(
  { database, now }: Pick<AppContext, 'database' | 'now'>,
  runId: string,
): Promise<QueuePlace | null> {
  const row = await findQueueRow(database, runId);
  if (row === null) return null;
  const { status, experimentId, experimentVersion, ahead, triedAgainAt } = row;
  if (status !== 'queued' && status !== 'running') return { status, ahead: null, reasons: [] };
  const version = await findExperimentVersion(database, experimentId, experimentVersion);
  const providers = version === null ? [] : namedModels(version.settings).map(({ provider }) => provider);
  const [processes, limits, budgets] = await Promise.all([
    livingProcesses(database),
    findProviderLimits(database, providers),
    status === 'queued' ? findBudgetWarnings({ database, now }, experimentId) : [],
  ]);
  return queuePosition({ status, ahead, triedAgainAt, processes, limits, budgets, now: now() });
}

/** The same of the run of a batch that begins first of those that are queued; null where none is. */
export async function findBatchQueuePosition(
  context: Pick<AppContext, 'database' | 'now'>,
  batchId: string,
): Promise<QueuePlace | null> {
  const runId = await firstQueuedRun(context.database, batchId);
  return runId === null ? null : findQueuePosition(context, runId);
}
