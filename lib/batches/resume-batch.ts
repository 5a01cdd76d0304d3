import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { notStored, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { findExperiment } from '#lib/experiments/queries.ts';
import { runsOfBatch } from '#lib/runs/batches.ts';
import { releaseBatch } from '#lib/runs/hold-batch.ts';
import { forEachAtOnce, stopRun } from '#lib/runs/stop-runs.ts';
import { refuseImported, resumeRun } from './resume-run.ts';

/**
 * Resumes the incomplete runs of a batch: failed and stopped ones from their last state, and those held back by a hold of the batch. Other
 * ended runs are unchanged, and nothing saved is paid again. Returns the number resumed, 0 if none is incomplete. If none may be resumed,
 * returns the error of the first.
 */
export async function resumeBatch(
  context: AppContext,
  actor: Actor,
  batchId: string,
): Promise<Result<{ resumed: number }>> {
  const { database } = context;
  const batch = await database.prisma.batch.findUnique({ where: { id: batchId }, select: { experimentId: true } });
  const experiment = batch === null ? null : await findExperiment(database, batch.experimentId);
  if (experiment === null) return notStored('batch', batchId);
  const refusal = refuseImported(experiment);
  if (refusal !== null) return refusal;
  const runIds = await runsOfBatch(database, batchId, ['failed', 'stopped']);
  // Runs that are released but not queued would never start.
  const held = await inTransaction(database, async (transaction) => {
    const { unstarted, limited } = await releaseBatch({ prisma: transaction }, batchId);
    if (runIds.length + unstarted.length + limited > 0) {
      const { count } = await transaction.batch.updateMany({
        where: { id: batchId },
        data: { resumedAt: context.now() },
      });
      if (count === 0) return null;
    }
    await context.enqueue(unstarted, transaction);
    return unstarted.length + limited;
  });
  if (held === null) return notStored('batch', batchId);
  if (runIds.length + held === 0) return succeed({ resumed: 0 });
  const done = await forEachAtOnce(runIds, (runId) => resumeRun(context, actor, runId));
  const resumed = held + done.filter(({ ok }) => ok).length;
  const refused = done.find((result) => !result.ok);
  if (resumed === 0 && refused !== undefined && !refused.ok) return refused;
  await recordChange(database.prisma, actor, {
    act: 'resumed',
    subject: { kind: 'batch', id: batchId, name: experiment.name },
    change: { runs: resumed },
  });
  return succeed({ resumed });
}

/** Stops every unfinished run of a batch, queued ones first so that no new one starts meanwhile. Returns the number stopped. */
export async function stopBatch(
  context: AppContext,
  actor: Actor,
  batchId: string,
): Promise<Result<{ stopped: number }>> {
  const { database } = context;
  if ((await database.prisma.batch.findUnique({ where: { id: batchId }, select: { id: true } })) === null)
    return notStored('batch', batchId);
  let stopped = 0;
  for (const status of ['queued', 'running', 'waiting'] as const) {
    const runIds = await runsOfBatch(database, batchId, [status]);
    const done = await forEachAtOnce(runIds, (runId) => stopRun(context, actor, runId));
    stopped += done.filter(({ ok }) => ok).length;
  }
  await recordChange(database.prisma, actor, {
    act: 'stopped',
    subject: { kind: 'batch', id: batchId },
    change: { runs: stopped },
  });
  return succeed({ stopped });
}
