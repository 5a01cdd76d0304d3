import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { lockPrompt, promptNotFound } from './queries.ts';

/** Number of deleted records of each kind. `reusePaidReplies` counts saved responses that would have to be paid for again. */
type DeletedPrompt = Record<'prompts' | 'versions' | 'labels' | 'moves' | 'drafts' | 'proofs' | 'paidReplies', number>;

/** Deletes a prompt with all its data and returns the counts. Experiments and runs that tuned it keep its text. */
export async function deletePrompt(
  { database }: AppContext,
  actor: Actor,
  name: string,
): Promise<Result<{ deleted: DeletedPrompt }>> {
  return inTransaction(database, async (transaction): Promise<Result<{ deleted: DeletedPrompt }>> => {
    if ((await lockPrompt(transaction, name)) === null) return promptNotFound(name);
    const counted = { versions: true, labels: true, labelMoves: true, drafts: true, proofs: true, paidReplies: true };
    const { _count: counts } = await transaction.prompt.findUniqueOrThrow({
      where: { name },
      select: { _count: { select: counted } },
    });
    const { labelMoves: moves, ...others } = counts;
    await transaction.prompt.delete({ where: { name }, select: { name: true } });
    await recordChange(transaction, actor, { act: 'deleted', subject: { kind: 'prompt', name } });
    return succeed({ deleted: { prompts: 1, ...others, moves } });
  });
}
