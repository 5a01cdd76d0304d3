import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { findLabel, moveLabel } from './move-label.ts';
import type { MovedLabel } from './prompt-record.ts';
import { noPrompt } from './save-prompt-version.ts';
import { lockPrompt } from './write-prompt.ts';

/** Takes a label off its version: who asks for it is told that it stands nowhere. Its moves are kept, this one among them. */
export async function removePromptLabel(
  { database, now }: AppContext,
  actor: Actor,
  name: string,
  label: string,
): Promise<Result<MovedLabel>> {
  return inTransaction(database, async (client): Promise<Result<MovedLabel>> => {
    if ((await lockPrompt(client, name)) === null) return noPrompt(name);
    const standing = await findLabel(client, name, label);
    if (standing === null) return fail('not_found', `The label ${label} stands at no version of the prompt "${name}".`);
    const { version: previous } = standing;
    const move = { promptName: name, label, version: null, previous, reason: null };
    const number = await moveLabel(client, { ...move, movedBy: actor.name, now: now() });
    await recordChange(client, actor, {
      act: 'labelled',
      subject: { kind: 'prompt', name },
      change: { label, version: null, previous },
    });
    return succeed({ name, label, version: null, previous, moved: true, move: number, proof: null });
  });
}
