import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { Actor } from '#lib/team/authorize.ts';
import type { Workshop } from './workshop.ts';

/** Deletes a dataset with its cases, those of its latest version being counted. Runs keep their own copy of the case they ran. */
export async function deleteDataset(
  { database }: Workshop,
  _actor: Actor,
  datasetId: string,
): Promise<Result<{ deleted: { datasets: number; cases: number } }>> {
  return database.prisma.$transaction(async (transaction) => {
    const cases = await transaction.datasetCase.count({ where: { datasetId, ended: null } });
    const { count } = await transaction.dataset.deleteMany({ where: { id: datasetId } });
    return count === 0
      ? fail('not_found', `There is no dataset ${datasetId}.`)
      : succeed({ deleted: { datasets: count, cases } });
  });
}
