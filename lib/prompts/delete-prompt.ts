import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { type DeletedPrompt, deleteStoredPrompt } from './delete-stored-prompt.ts';
import { noPrompt } from './save-prompt-version.ts';
import { lockPrompt } from './write-prompt.ts';

/** Deletes a prompt with all that hangs on it, and says how much. Experiments and runs that tuned it keep its text. */
export async function deletePrompt(
  { database }: AppContext,
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
