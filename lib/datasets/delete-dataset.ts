import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/transactions.ts';

/**
 * Deletes a dataset with all its cases. Reports the number of cases in its latest version. Runs keep their own copy of the case they ran.
 */
export async function deleteDataset(
  { database }: AppContext,
  actor: Actor,
  datasetId: string,
): Promise<Result<{ deleted: { datasets: number; cases: number } }>> {
  return inTransaction(database, async (transaction) => {
    const found = await transaction.dataset.findUnique({ where: { id: datasetId }, select: { name: true } });
    const cases = await transaction.datasetCase.count({ where: { datasetId, ended: null } });
    const { count } = await transaction.dataset.deleteMany({ where: { id: datasetId } });
    if (count === 0) return fail('not_found', `There is no dataset ${datasetId}.`);
    await recordChange(transaction, actor, {
      act: 'deleted',
      subject: { kind: 'dataset', id: datasetId, name: found?.name ?? null },
      change: { cases },
    });
    return succeed({ deleted: { datasets: count, cases } });
  });
}
