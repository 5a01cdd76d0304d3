import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { findPromptSetup } from './find-prompt-setup.ts';
import { type PromptSetup, promptSetupSchema } from './prompt-library.ts';
import { readPromptSetup } from './read-prompt-setup.ts';
import { noPrompt } from './save-prompt-version.ts';
import { lockPrompt, writePromptSetup } from './write-prompt.ts';

/** What may be sent: any parts of the setup. Parts that are left out stay as they are, so none is filled in here. */
export const promptChangeSchema = promptSetupSchema.partial();

/** Changes what a prompt is tried with: given parts replace, others stay. Checked like the settings of an experiment. */
export async function updatePromptSetup(
  context: AppContext,
  actor: Actor,
  name: string,
  input: unknown,
): Promise<Result<{ name: string; setup: PromptSetup }>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return fail('invalid', 'The change must be an object of parts of the setup.');
  const before = await findPromptSetup(context.database, name);
  if (before === null) return noPrompt(name);
  const setup = await readPromptSetup(context, { ...before, ...input });
  if (!setup.ok) return setup;
  return inTransaction(context.database, async (client): Promise<Result<{ name: string; setup: PromptSetup }>> => {
    if ((await lockPrompt(client, name)) === null) return noPrompt(name);
    await writePromptSetup(client, { name, setup: setup.value, now: context.now() });
    await recordChange(client, actor, {
      act: 'changed',
      subject: { kind: 'prompt', name },
      change: { fields: Object.keys(input).join(', ') },
    });
    return succeed({ name, setup: setup.value });
  });
}
