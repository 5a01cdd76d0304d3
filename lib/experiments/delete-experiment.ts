import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { notStored, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { interruptRun } from '#lib/live/interrupt.ts';
import { announceEvents } from '#lib/live/live.ts';
import { saveSpendOfRuns } from '#lib/runs/other-spend.ts';

type Deleted = { deleted: { experiments: number; versions: number; batches: number; runs: number } };

/**
 * Deletes an experiment with its settings, batches and runs, interrupts workers that perform them, and returns their counts. Lessons are
 * kept after their run is deleted.
 */
export async function deleteExperiment(
  { database }: AppContext,
  actor: Actor,
  experimentId: string,
): Promise<Result<Deleted>> {
  const underWay: string[] = [];
  const result = await inTransaction(database, async (transaction): Promise<Result<Deleted>> => {
    const where = { experimentId };
    const found = await transaction.experiment.findUnique({ where: { id: experimentId }, select: { name: true } });
    const runs = await transaction.run.count({ where });
    const batches = await transaction.batch.count({ where });
    const versions = await transaction.experimentVersion.count({ where });
    await saveSpendOfRuns(transaction, { experimentId });
    const unfinished = await transaction.run.findMany({ where: { ...where, finishedAt: null }, select: { id: true } });
    for (const { id } of unfinished) underWay.push(id);
    const { count } = await transaction.experiment.deleteMany({ where: { id: experimentId } });
    if (count === 0) return notStored('experiment', experimentId);
    await recordChange(transaction, actor, {
      act: 'deleted',
      subject: { kind: 'experiment', id: experimentId, name: found?.name ?? null },
      change: { batches, runs },
    });
    return succeed({ deleted: { experiments: count, versions, batches, runs } });
  });
  if (!result.ok) return result;
  for (const runId of underWay) {
    interruptRun(runId);
    // Subscribers of the run reload it, find it deleted and stop.
    announceEvents(runId);
  }
  return result;
}
