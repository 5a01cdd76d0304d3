import { type DeletedPrompt, deleteStoredPrompt } from '#lib/db/delete-prompt.ts';
import { inTransaction } from '#lib/db/in-transaction.ts';
import { lockPrompt } from '#lib/db/write-prompt.ts';
import { type Result, succeed } from '#lib/reflection/problem.ts';
import { recordChange } from '#lib/team/audit/record-change.ts';
import type { Actor } from '#lib/team/authorize.ts';
import type { Workshop } from '../workshop.ts';
import { noPrompt } from './save-prompt-version.ts';

/** Deletes a prompt with all that hangs on it, and says how much. Experiments and runs that tuned it keep its text. */
export async function deletePrompt(
  { database }: Workshop,
  actor: Actor,
  name: string,
): Promise<Result<{ deleted: DeletedPrompt }>> {
  return inTransaction(database, async (client): Promise<Result<{ deleted: DeletedPrompt }>> => {
    if ((await lockPrompt(client, name)) === null) return noPrompt(name);
    const deleted = await deleteStoredPrompt(client, name);
    await recordChange(client, actor, { act: 'deleted', subject: { kind: 'prompt', name } });
    return succeed({ deleted });
  });
}
