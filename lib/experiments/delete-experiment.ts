import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { saveSpendOfRuns } from '#lib/runs/other-spend.ts';

type Deleted = { deleted: { experiments: number; versions: number; batches: number; runs: number } };

/** Deletes an experiment with its settings, batches and runs, and returns their counts. Lessons are kept after their run is deleted. */
export async function deleteExperiment(
  { database }: AppContext,
  actor: Actor,
  experimentId: string,
): Promise<Result<Deleted>> {
  return database.prisma.$transaction(async (transaction) => {
    const where = { experimentId };
    const found = await transaction.experiment.findUnique({ where: { id: experimentId }, select: { name: true } });
    const runs = await transaction.run.count({ where });
    const batches = await transaction.batch.count({ where });
    const versions = await transaction.experimentVersion.count({ where });
    await saveSpendOfRuns(transaction, { experimentId });
    const { count } = await transaction.experiment.deleteMany({ where: { id: experimentId } });
    if (count === 0) return fail('not_found', `There is no experiment ${experimentId}.`);
    await recordChange(transaction, actor, {
      act: 'deleted',
      subject: { kind: 'experiment', id: experimentId, name: found?.name ?? null },
      change: { batches, runs },
    });
    return succeed({ deleted: { experiments: count, versions, batches, runs } });
  });
}
