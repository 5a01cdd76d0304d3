import { keepSpendOfRuns } from '#lib/db/other-spend.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { Actor } from '#lib/team/authorize.ts';
import type { Workshop } from './workshop.ts';

type Deleted = { deleted: { experiments: number; versions: number; batches: number; runs: number } };

/** Deletes an experiment with its settings, batches and runs, and says how many. Lessons stay: they outlive their run. */
export async function deleteExperiment(
  { database }: Workshop,
  _actor: Actor,
  experimentId: string,
): Promise<Result<Deleted>> {
  return database.prisma.$transaction(async (transaction) => {
    const where = { experimentId };
    const runs = await transaction.run.count({ where });
    const batches = await transaction.batch.count({ where });
    const versions = await transaction.experimentVersion.count({ where });
    await keepSpendOfRuns(transaction, { experimentId });
    const { count } = await transaction.experiment.deleteMany({ where: { id: experimentId } });
    return count === 0
      ? fail('not_found', `There is no experiment ${experimentId}.`)
      : succeed({ deleted: { experiments: count, versions, batches, runs } });
  });
}
