import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { datasetInputSchema } from '#lib/datasets/case-input.ts';
import { insertDataset } from '#lib/datasets/dataset-versions.ts';

/** Stores a test dataset from `{name, cases}`, without an upload. */
export async function createDataset(
  context: AppContext,
  actor: Actor,
  input: unknown,
): Promise<Result<{ id: string; caseCount: number }>> {
  const { name, cases } = datasetInputSchema.parse(input);
  const id = context.newId();
  await inTransaction(context.database, async (transaction) => {
    await insertDataset(transaction, { id, name, cases, now: context.now(), actor: actor.name });
    const subject = { kind: 'dataset' as const, id, name };
    await recordChange(transaction, actor, { act: 'created', subject, change: { cases: cases.length } });
  });
  return succeed({ id, caseCount: cases.length });
}
